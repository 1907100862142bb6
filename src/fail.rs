//! Named places at which a test may kill the process (invariant 4: nothing lost, nothing twice).
//!
//! Without the cargo feature `failpoints` a point is nothing at all. With it, two environment variables count:
//! `ESTAFETTE_FAIL=name:n` aborts at the nth passage (from 1) of that point, `ESTAFETTE_FAIL=*:n` at the nth
//! passage of any point, and `ESTAFETTE_FAIL_COUNT=FILE` appends the name of each passage to a file, so that
//! a test learns how many there are.

/// Marks one place at which a test may kill the process; does nothing without the feature `failpoints`.
#[cfg(not(feature = "failpoints"))]
#[inline(always)]
pub fn point(_name: &str) {}

#[cfg(feature = "failpoints")]
pub use armed::point;

#[cfg(feature = "failpoints")]
mod armed {
    use std::fs::OpenOptions;
    use std::io::Write;
    use std::path::PathBuf;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    struct Plan {
        kill: Option<(String, u64)>,
        count_to: Option<PathBuf>,
    }

    static PLAN: OnceLock<Plan> = OnceLock::new();
    static PASSED: AtomicU64 = AtomicU64::new(0);

    /// Counts one passage of the named place and aborts the process where `ESTAFETTE_FAIL` says so.
    pub fn point(name: &str) {
        let plan = PLAN.get_or_init(plan);
        if let Some(path) = &plan.count_to {
            let written =
                OpenOptions::new().create(true).append(true).open(path).and_then(|mut file| writeln!(file, "{name}"));
            if written.is_err() {
                std::process::abort();
            }
        }
        if let Some((wanted, nth)) = &plan.kill
            && (wanted == "*" || wanted == name)
            && PASSED.fetch_add(1, Ordering::SeqCst) + 1 == *nth
        {
            std::process::abort();
        }
    }

    /// Reads the two variables. A plan that cannot be read kills at once: a test must not pass by a typing error.
    fn plan() -> Plan {
        let kill = std::env::var("ESTAFETTE_FAIL").ok().map(|text| {
            let parts = text.rsplit_once(':').and_then(|(name, n)| Some((name.to_owned(), n.parse().ok()?)));
            parts.unwrap_or_else(|| std::process::abort())
        });
        Plan { kill, count_to: std::env::var_os("ESTAFETTE_FAIL_COUNT").map(PathBuf::from) }
    }
}
