//! The public beacon: rounds of drand's quicknet, which do not exist before their time and cannot be made up.
//!
//! The program asks nobody: a signature comes from a command of the operator's, a mail, or the command line, and is
//! checked here, without a network. Scheme `bls-unchained-g1-rfc9380`.

use super::Bytes32;
use data_encoding::HEXLOWER_PERMISSIVE;
use drand_verify::{G2PubkeyRfc, Pubkey, derive_randomness};

/// When round 1 appeared, in seconds of Unix time.
const GENESIS: i64 = 1_692_803_367;
/// Seconds from a round to the next.
const PERIOD: i64 = 3;
/// The network's public key, in hexadecimal.
const KEY: &str = "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451\
                   0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a";
/// The hash by which the network is asked for.
pub const NETWORK: &str = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971";
/// Hexadecimal digits of a signature.
pub const DIGITS: usize = 96;

/// Why a text is not the signature of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoRound {
    /// It does not have the form of one.
    #[error("a signature of drand's quicknet has {DIGITS} hexadecimal digits")]
    Form,
    /// It is not that of this round.
    #[error("it is not the signature of this round")]
    False,
}

/// The first round that appears at a time, in seconds of Unix time, or later.
pub fn round_at(seconds: i64) -> u64 {
    let past = seconds.saturating_sub(GENESIS).max(0);
    let round = past / PERIOD + i64::from(past % PERIOD > 0) + 1;
    u64::try_from(round).unwrap_or(1)
}

/// When a round appears, in seconds of Unix time.
pub fn time_of(round: u64) -> i64 {
    let rounds = i64::try_from(round.saturating_sub(1)).unwrap_or(i64::MAX);
    GENESIS.saturating_add(rounds.saturating_mul(PERIOD))
}

/// The value of a round, if that is its signature, in hexadecimal.
///
/// # Errors
/// Why it is not.
pub fn value(round: u64, signature: &str) -> Result<Bytes32, NoRound> {
    let decoded = |text: &str| HEXLOWER_PERMISSIVE.decode(text.as_bytes()).ok();
    let signature = decoded(signature.trim()).filter(|bytes| bytes.len() * 2 == DIGITS).ok_or(NoRound::Form)?;
    let key = decoded(KEY).and_then(|key| G2PubkeyRfc::from_variable(&key).ok());
    match key.map(|key| key.verify(round, b"", &signature)) {
        Some(Ok(true)) => Ok(derive_randomness(&signature)),
        _ => Err(NoRound::False),
    }
}
