//! The types of k8s-openapi, read from its generated source.

use crate::error::{Error, Result};
use std::fs;
use std::path::Path;

/// One version of Kubernetes that k8s-openapi has types for.
pub(crate) struct Version {
    /// The `33` of 1.33.
    pub(crate) minor: u32,
    pub(crate) structs: Vec<Struct>,
}

/// A struct of k8s-openapi.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Struct {
    /// The schema it is generated from: `io.k8s.api.core.v1.PodSpec`.
    pub(crate) schema: String,
    /// Its path in the crate: `api::core::v1::PodSpec`.
    pub(crate) path: String,
    pub(crate) fields: Vec<Field>,
}

/// A field of a struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) ident: String,
    pub(crate) json: String,
    /// Its type as the crate writes it: `Option<std::vec::Vec<crate::api::core::v1::Container>>`.
    pub(crate) ty: String,
}

/// Every version, the earliest first.
pub(crate) fn versions(source: &Path) -> Result<Vec<Version>> {
    let mut versions = Vec::new();
    for entry in read_dir(source)? {
        let Some(minor) = entry.strip_prefix("v1_").and_then(|minor| minor.parse().ok()) else { continue };
        let mut structs = Vec::new();
        walk(&source.join(&entry), "", &mut structs)?;
        structs.sort_by(|a, b| a.path.cmp(&b.path));
        versions.push(Version { minor, structs });
    }
    versions.sort_by_key(|version| version.minor);
    if versions.is_empty() {
        return Err(unreadable(&format!("{} has no folder `v1_<minor>`", source.display())));
    }
    Ok(versions)
}

fn walk(folder: &Path, module: &str, structs: &mut Vec<Struct>) -> Result<()> {
    for name in read_dir(folder)? {
        let path = folder.join(&name);
        if path.is_dir() {
            walk(&path, &format!("{module}{name}::"), structs)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).map_err(|source| Error::File {
                action: "read",
                path: path.clone(),
                source,
            })?;
            structs.extend(parse(&text, module)?);
        }
    }
    Ok(())
}

fn read_dir(folder: &Path) -> Result<Vec<String>> {
    let failed = |source| Error::File { action: "list", path: folder.to_path_buf(), source };
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        names.push(entry.map_err(failed)?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

/// The struct of one file, if it has one with named fields.
fn parse(text: &str, module: &str) -> Result<Option<Struct>> {
    let Some(schema) = text.lines().find_map(|line| line.strip_prefix("// Generated from definition ")) else {
        return Ok(None);
    };
    let mut lines = text.lines();
    let Some(name) = lines.find_map(struct_name) else { return Ok(None) };
    let path = format!("{module}{name}");
    let declared: Vec<_> = lines.take_while(|line| *line != "}").filter_map(declaration).collect();
    let serialized = serialized(text);
    let mut fields = Vec::new();
    for (ident, ty) in declared {
        let mut json = serialized.iter().filter(|(field, _)| *field == ident).map(|(_, json)| *json);
        let (Some(json), None) = (json.next(), json.next()) else {
            return Err(unreadable(&format!("`{path}` does not serialize its field `{ident}` once")));
        };
        fields.push(Field { ident: ident.into(), json: json.into(), ty: ty.into() });
    }
    Ok(Some(Struct { schema: schema.into(), path, fields }))
}

fn struct_name(line: &str) -> Option<&str> {
    let name = line.strip_prefix("pub struct ")?.strip_suffix(" {")?;
    // A type with parameters, such as `List<T>`, is known by its name alone.
    name.split('<').next()
}

fn declaration(line: &str) -> Option<(&str, &str)> {
    line.strip_prefix("    pub ")?.strip_suffix(',')?.split_once(": ")
}

/// Each field that the file serializes, with the name it gives it.
fn serialized(text: &str) -> Vec<(&str, &str)> {
    let mut fields = Vec::new();
    let mut optional = None;
    for line in text.lines().map(str::trim) {
        if let Some(rest) = line.strip_prefix("if let Some(value) = &self.") {
            optional = rest.strip_suffix(" {");
        }
        let call = "crate::serde::ser::SerializeStruct::serialize_field(&mut state, \"";
        let Some(rest) = line.strip_prefix(call) else { continue };
        let Some((json, value)) = rest.split_once("\", ") else { continue };
        let Some(value) = value.strip_suffix(")?;") else { continue };
        let ident = if value == "value" { optional } else { value.strip_prefix("&self.") };
        fields.extend(ident.map(|ident| (ident, json)));
    }
    fields
}

fn unreadable(what: &str) -> Error {
    Error::unexpected(
        format!("k8s-openapi's source isn't what it was: {what}"),
        "look at a few of its files and teach xtask/src/k8s_types.rs",
    )
}

#[cfg(test)]
mod tests {
    use super::{Field, Struct, parse};

    const FILE: &str = r#"// Generated from definition io.k8s.api.core.v1.Thing

/// A thing.
pub struct Thing {
    /// A list.
    pub list: Option<std::vec::Vec<crate::api::core::v1::Other>>,

    pub type_: i32,
}

impl crate::serde::Serialize for Thing {
        crate::serde::ser::SerializeStruct::serialize_field(&mut state, "type", &self.type_)?;
        if let Some(value) = &self.list {
            crate::serde::ser::SerializeStruct::serialize_field(&mut state, "list", value)?;
        }
}
"#;

    fn field(ident: &str, json: &str, ty: &str) -> Field {
        Field { ident: ident.into(), json: json.into(), ty: ty.into() }
    }

    #[test]
    fn fields_have_their_json_names_and_types() {
        let expected = Struct {
            schema: "io.k8s.api.core.v1.Thing".into(),
            path: "api::core::v1::Thing".into(),
            fields: vec![
                field("list", "list", "Option<std::vec::Vec<crate::api::core::v1::Other>>"),
                field("type_", "type", "i32"),
            ],
        };
        assert_eq!(parse(FILE, "api::core::v1::").unwrap(), Some(expected));
    }

    #[test]
    fn a_field_that_is_not_serialized_is_an_error_that_names_it() {
        let error = parse(&FILE.replace("self.type_", "self.kind"), "api::core::v1::").unwrap_err().to_string();
        assert!(error.contains("`api::core::v1::Thing` does not serialize its field `type_` once"), "{error}");
    }

    #[test]
    fn a_file_without_a_struct_has_none() {
        assert_eq!(parse("// Generated from definition x\npub enum E {\n}\n", "").unwrap(), None);
        assert_eq!(parse("pub mod x;\n", "").unwrap(), None);
    }
}
