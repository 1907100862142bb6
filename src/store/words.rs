//! The few words that columns may hold.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};

/// Makes an enum that is kept as a word in a column.
macro_rules! kept_words {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $name { $($(#[$doc])* $variant,)+ }

        impl $name {
            /// The word as it stands in the database and in `--json`.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }
        }

        impl ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                Ok(ToSqlOutput::from(self.as_str()))
            }
        }

        impl FromSql for $name {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                match value.as_str()? {
                    $($word => Ok(Self::$variant),)+
                    other => Err(FromSqlError::Other(format!("{other:?} is none of its words").into())),
                }
            }
        }
    };
}

kept_words! {
    /// When orders are carried out (design §4).
    Tempo {
        /// Each mail on receipt.
        Live = "live",
        /// All together at the end of the stage.
        Sealed = "sealed",
    }
}

kept_words! {
    /// How far a game has come.
    GameState {
        /// Seats have yet to sign on.
        Forming = "forming",
        /// Under way.
        Playing = "playing",
        /// Finished; its secrets are out.
        Over = "over",
        /// Its log is broken: nothing more is done in it until the umpire has seen to it.
        Corrupt = "corrupt",
    }
}

kept_words! {
    /// What has become of a mail that came in.
    InboxState {
        /// Committed and not yet acted on.
        New = "new",
        /// Acted on.
        Done = "done",
        /// Read and not acted on; the reason is kept.
        Refused = "refused",
        /// Set aside because acting on it failed; the reason is kept.
        Quarantined = "quarantined",
    }
}

kept_words! {
    /// What has become of a mail that goes out.
    OutboxState {
        /// To be sent.
        Ready = "ready",
        /// Kept back while its game is held.
        Held = "held",
        /// Handed over to the transport at least once.
        Sent = "sent",
        /// Given up; the fault is kept.
        Failed = "failed",
    }
}
