//! The test's noise: a fixed linear congruence, not a game's dice.

/// A stream of numbers.
pub struct Noise(u64);

impl Noise {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Noise {
        Noise(seed ^ 0x9e37_79b9_7f4a_7c15)
    }

    /// A number from 0 to below `most`; 0 where there is none.
    pub fn below(&mut self, most: i32) -> i32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i32::try_from((self.0 >> 33) % u64::from(most.unsigned_abs().max(1))).unwrap_or(0)
    }

    /// One of some things.
    pub fn pick<T: Clone>(&mut self, things: &[T]) -> Option<T> {
        let at = self.below(i32::try_from(things.len()).unwrap_or(i32::MAX));
        things.get(usize::try_from(at).unwrap_or(0)).cloned()
    }

    /// Some things in another order.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            let at = self.below(i32::try_from(last + 1).unwrap_or(1));
            things.swap(last, usize::try_from(at).unwrap_or(0));
        }
    }
}
