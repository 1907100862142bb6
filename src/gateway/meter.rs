//! Counts for whoever watches the post office: a file in Prometheus' text form, as its collectors read it.
//!
//! Nothing of a game stands in it but how many there are: whoever may read the file learns nothing that a player hides.

use super::office::{Office, Pass};
use crate::store::{self, StoreError, free_bytes};
use jiff::SignedDuration;
use std::collections::VecDeque;
use std::fmt::{Display, Write as _};
use std::path::Path;

/// The file is written once in so long.
const EACH: SignedDuration = SignedDuration::from_secs(15);
/// Passes of which the quantiles tell.
const KEPT: usize = 1_000;
/// Which quantiles, in hundredths.
const QUANTILES: [usize; 3] = [50, 90, 99];

/// What the passes since the daemon began come to.
#[derive(Debug, Default)]
pub(super) struct Meter {
    fetched: usize,
    read: usize,
    deadlines: usize,
    sent: usize,
    unsent: usize,
    /// Passes in which nothing was to be done, and the others.
    idle: Took,
    busy: Took,
    /// When the file was written last, by steady time.
    written: Option<SignedDuration>,
}

/// How long passes took.
#[derive(Debug, Default)]
struct Took {
    count: u64,
    sum: SignedDuration,
    /// The last of them.
    last: VecDeque<SignedDuration>,
}

impl Took {
    fn add(&mut self, time: SignedDuration) {
        self.count += 1;
        self.sum = self.sum.saturating_add(time);
        self.last.push_back(time);
        if self.last.len() > KEPT {
            self.last.pop_front();
        }
    }

    /// The time that so many hundredths of the last passes did not exceed.
    fn quantile(&self, hundredths: usize) -> Option<SignedDuration> {
        let mut times: Vec<SignedDuration> = self.last.iter().copied().collect();
        times.sort();
        let at = (times.len() * hundredths).div_ceil(100).saturating_sub(1);
        times.get(at).copied()
    }
}

/// Seconds, with six digits behind the point.
fn seconds(time: SignedDuration) -> String {
    let micros = time.as_micros().max(0);
    format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000)
}

/// The file in the making.
#[derive(Default)]
struct Page(String);

impl Page {
    /// One measure: its name, its kind, what it says, and its samples with their labels.
    fn measure(&mut self, name: &str, kind: &str, help: &str, samples: &[(String, String)]) {
        let _ = writeln!(self.0, "# HELP estafette_{name} {help}\n# TYPE estafette_{name} {kind}");
        for (label, value) in samples {
            let _ = writeln!(self.0, "estafette_{name}{label} {value}");
        }
    }

    fn one(&mut self, name: &str, kind: &str, help: &str, value: impl Display) {
        self.measure(name, kind, help, &[(String::new(), value.to_string())]);
    }
}

impl Office {
    /// Counts a pass that began at some steady time, and writes the file where one is asked for and it is time. A file that
    /// cannot be written harms nothing.
    pub(super) fn count_pass(&mut self, pass: &Pass, began: SignedDuration) {
        let now = self.clock.steady();
        let meter = &mut self.meter;
        meter.fetched += pass.fetched;
        meter.read += pass.read;
        meter.deadlines += pass.deadlines;
        meter.sent += pass.sent;
        meter.unsent += pass.unsent;
        let took = if pass.quiet() { &mut meter.idle } else { &mut meter.busy };
        took.add(now.saturating_sub(began));
        let Some(file) = self.config.metrics.clone().filter(|_| self.serving) else { return };
        if self.meter.written.is_some_and(|before| now.saturating_sub(before) < EACH) {
            return;
        }
        self.meter.written = Some(now);
        let file = self.dir.join(file);
        let written = self.metrics(pass.failing).map_err(|why| why.to_string());
        if let Err(why) = written.and_then(|text| put(&file, &text).map_err(|why| why.to_string())) {
            tracing::warn!(file = %file.display(), why, "the metrics cannot be written");
        }
    }

    /// Takes the file away: another worker counts from here on, and numbers that stand still tell nobody anything.
    pub(super) fn take_metrics_away(&mut self) {
        self.meter.written = None;
        if let Some(file) = self.config.metrics.as_ref().filter(|_| self.serving) {
            // Where there is none, none is taken away.
            let _ = std::fs::remove_file(self.dir.join(file));
        }
    }

    /// The metrics as they stand.
    ///
    /// # Errors
    /// The database.
    pub fn metrics(&self, failing: usize) -> Result<String, StoreError> {
        let mut page = Page::default();
        self.passes(&mut page);
        let label = |key: &str, value: &str| format!("{{{key}=\"{value}\"}}");
        let queue = self.store.queue()?;
        let oldest = queue.oldest.and_then(|at| at.parse::<jiff::Timestamp>().ok());
        let waited = oldest.map_or(SignedDuration::ZERO, |at| self.clock.now().duration_since(at));
        page.one("inbox_waiting", "gauge", "Mails that came in and were not acted on yet.", queue.waiting);
        page.one("outbox_ready", "gauge", "Mails that wait to be sent.", queue.ready);
        page.one("outbox_given_up", "gauge", "Mails that were given up.", queue.failed);
        page.one("outbox_oldest_seconds", "gauge", "How long the oldest unsent mail waits.", seconds(waited));
        let games = self.store.game_counts()?;
        let games: Vec<(String, String)> =
            games.into_iter().map(|(state, count)| (label("state", &state), count.to_string())).collect();
        page.measure("games", "gauge", "Games by state.", &games);
        page.one("failing", "gauge", "Things that do not work just now.", failing);
        let store::Work { reads, writes, synced, loose } = self.store.work();
        page.one("reads_total", "counter", "Statements that read the database.", reads);
        page.one("writes_total", "counter", "Statements that wrote to the database.", writes);
        let commits = [("yes", synced), ("no", loose)].map(|(waits, n)| (label("synced", waits), n.to_string()));
        page.measure("commits_total", "counter", "Acts, by whether they waited for the disk.", &commits);
        page.one("games_opened_total", "counter", "How often a game was opened or taken.", self.taken());
        let bytes = self.store.size()?;
        page.one("database_bytes", "gauge", "Size of the database.", bytes);
        if let Some(free) = free_bytes(&self.dir) {
            page.one("disk_free_bytes", "gauge", "Room on the disk.", free);
        }
        Ok(page.0)
    }

    fn passes(&self, page: &mut Page) {
        let Meter { fetched, read, deadlines, sent, unsent, idle, busy, .. } = &self.meter;
        let mails = [("fetched", fetched), ("read", read), ("sent", sent), ("unsent", unsent)];
        let mails = mails.map(|(what, n)| (format!("{{what=\"{what}\"}}"), n.to_string()));
        page.measure("mails_total", "counter", "Mails since the daemon began.", &mails);
        page.one("deadlines_total", "counter", "Games in which a deadline passed.", deadlines);
        let mut samples = Vec::new();
        for (kind, took) in [("idle", idle), ("busy", busy)] {
            for hundredths in QUANTILES {
                let time = took.quantile(hundredths).map_or_else(|| "NaN".to_owned(), seconds);
                samples.push((format!("{{kind=\"{kind}\",quantile=\"0.{hundredths}\"}}"), time));
            }
            samples.push((format!("_sum{{kind=\"{kind}\"}}"), seconds(took.sum)));
            samples.push((format!("_count{{kind=\"{kind}\"}}"), took.count.to_string()));
        }
        page.measure("pass_seconds", "summary", "How long passes took, by whether anything was to be done.", &samples);
    }
}

/// Puts a file in its place whole: a collector never reads half of one.
fn put(file: &Path, text: &str) -> std::io::Result<()> {
    let part = file.with_extension("part");
    std::fs::write(&part, text)?;
    std::fs::rename(&part, file)
}
