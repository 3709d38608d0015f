//! Chance that can be repeated: a seed that is printed, and a number of cases that one variable raises.

/// The variable that asks for every case; the gate runs a fifth of them.
const FULL: &str = "URUTAU_FULL";
/// The variable that sets another seed.
const SEED: &str = "URUTAU_SEED";

/// Numbers that look like chance and follow from a seed (`SplitMix64`).
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// The dice of a suite; its seed is printed.
    pub fn of(suite: &str) -> Self {
        let seed = std::env::var(SEED).ok().and_then(|seed| seed.parse().ok()).unwrap_or(0x5eed);
        println!("{suite}: seed {seed}; {SEED} sets another, {FULL}=1 runs every case");
        Self(seed)
    }

    /// Dice of their own for one case.
    #[must_use]
    pub fn fork(&mut self) -> Self {
        Self(self.draw())
    }

    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.draw() % end as u64).unwrap_or_default()
    }

    /// True so many times in a hundred.
    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of these.
    pub fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }

    /// Between one and `most` of these, in their order.
    pub fn some<T: Clone>(&mut self, of: &[T], most: usize) -> Vec<T> {
        let wanted = 1 + self.below(most.min(of.len()));
        let mut places: Vec<usize> = (0..of.len()).collect();
        while places.len() > wanted {
            let out = self.below(places.len());
            places.remove(out);
        }
        places.into_iter().map(|place| of[place].clone()).collect()
    }

    /// As many of these as [`cases`] says.
    pub fn cases<T>(&mut self, mut of: Vec<T>) -> Vec<T> {
        let number = cases(of.len());
        while of.len() > number {
            of.swap_remove(self.below(of.len()));
        }
        of
    }
}

/// How many cases a suite of `all` runs now.
pub fn cases(all: usize) -> usize {
    if std::env::var_os(FULL).is_some() { all } else { all / 5 }
}
