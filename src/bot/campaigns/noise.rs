//! Choice among equals, from a number given and from public words only.

use crate::rules::campaigns::view::View;

/// A source of choices: the same purpose gives the same choice within one sheet.
pub struct Noise(u64);

impl Noise {
    /// The noise of one sheet.
    pub fn new(noise: u64, v: &View) -> Noise {
        let mut mixed = noise;
        for word in [v.side_id().0.as_str(), &format!("{:?}", v.at)] {
            mixed = mix(mixed, word);
        }
        Noise(mix(mixed, &v.turn.to_string()))
    }

    /// A number from nothing to below `n`.
    pub fn below(&self, purpose: &str, n: i32) -> i32 {
        let n = u64::try_from(n.max(1)).unwrap_or(1);
        i32::try_from(mix(self.0, purpose) % n).unwrap_or(0)
    }
}

/// FNV-1a over a word, then a finalizer that spreads the bits.
fn mix(seed: u64, word: &str) -> u64 {
    let mut x =
        word.bytes().fold(seed ^ 0xcbf2_9ce4_8422_2325, |x, b| (x ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
