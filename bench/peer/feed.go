package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Feed is the owner: the same custom resource as that of the operator it is measured against.
type Feed struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              FeedSpec   `json:"spec"`
	Status            FeedStatus `json:"status,omitempty"`
}

// FeedSpec is what a user writes.
type FeedSpec struct {
	Image    string `json:"image"`
	Document string `json:"document"`
}

// FeedStatus says how it stands.
type FeedStatus struct {
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
}

// FeedList is a list of them.
type FeedList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Feed `json:"items"`
}

var groupVersion = schema.GroupVersion{Group: "bench.urutau.io", Version: "v1"}

func addToScheme(scheme *runtime.Scheme) {
	scheme.AddKnownTypes(groupVersion, &Feed{}, &FeedList{})
	metav1.AddToGroupVersion(scheme, groupVersion)
}

// DeepCopyInto is what controller-gen writes.
func (in *Feed) DeepCopyInto(out *Feed) {
	*out = *in
	in.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	if in.Status.Conditions != nil {
		out.Status.Conditions = make([]metav1.Condition, len(in.Status.Conditions))
		for i := range in.Status.Conditions {
			in.Status.Conditions[i].DeepCopyInto(&out.Status.Conditions[i])
		}
	}
}

// DeepCopy is what controller-gen writes.
func (in *Feed) DeepCopy() *Feed {
	out := new(Feed)
	in.DeepCopyInto(out)
	return out
}

// DeepCopyObject is what controller-gen writes.
func (in *Feed) DeepCopyObject() runtime.Object {
	return in.DeepCopy()
}

// DeepCopyObject is what controller-gen writes.
func (in *FeedList) DeepCopyObject() runtime.Object {
	out := &FeedList{TypeMeta: in.TypeMeta, Items: make([]Feed, len(in.Items))}
	in.ListMeta.DeepCopyInto(&out.ListMeta)
	for i := range in.Items {
		in.Items[i].DeepCopyInto(&out.Items[i])
	}
	return out
}
