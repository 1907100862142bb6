//! The table files made charts, and their checks.

use super::raw::Table;
use crate::rules::campaigns::tables::chart::Chart;
use crate::rules::campaigns::tables::{Source, Tables};
use crate::yaml;
use crate::yaml::{At, Flaw};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;

/// The table files of a scenario, and what was found in them.
pub(super) struct Charts<'a> {
    /// The scenario file and the place where it lists its files.
    pub scenario: &'a str,
    pub listed: &'a At<Vec<String>>,
    /// Table files by the name after `table:`.
    pub files: BTreeMap<&'a str, &'a (String, String)>,
    pub flaws: Vec<Flaw>,
    sources: BTreeMap<String, Source>,
}

impl<'a> Charts<'a> {
    /// Sorts table files by name; two of one name, or one without, are flaws.
    pub(super) fn new(scenario: &'a str, listed: &'a At<Vec<String>>, tables: &[&'a (String, String)]) -> Charts<'a> {
        let mut files = BTreeMap::new();
        let mut flaws = Vec::new();
        for file in tables {
            let (path, text) = (&file.0, &file.1);
            let Some(name) = yaml::label(text, "table") else {
                flaws.push(Flaw::whole(path, "The table has no name.", "Add a line such as `table: weather`."));
                continue;
            };
            if let Some((other, _)) = files.insert(name, *file) {
                let message = format!("Table {name} is given by {other} and by {path}.");
                flaws.push(Flaw::at(scenario, listed, message, "List one of the two under files."));
            }
        }
        Charts { scenario, listed, files, flaws, sources: BTreeMap::new() }
    }

    /// Makes all charts; `None` where one has a flaw.
    pub(super) fn tables(&mut self) -> Option<Tables> {
        let combat = self.chart();
        let attrition = self.chart();
        let initiative = self.chart();
        let pursuit = self.chart();
        let artillery = self.chart();
        let cavalry = self.chart();
        let ap = self.chart();
        let communications = self.chart();
        let terrain = self.chart();
        let bridging = self.chart();
        let weather = self.chart();
        let morale = self.chart();
        let citadels = self.chart();
        for (name, (path, _)) in &self.files {
            if !self.sources.contains_key(*name) && !self.flaws.iter().any(|f| f.file == *path) {
                let message = format!("There is no table \"{name}\" in this game.");
                self.flaws.push(Flaw::whole(path, message, "Correct the name after `table:`."));
            }
        }
        Some(Tables {
            combat: combat?,
            attrition: attrition?,
            initiative: initiative?,
            pursuit: pursuit?,
            artillery: artillery?,
            cavalry: cavalry?,
            ap: ap?,
            communications: communications?,
            terrain: terrain?,
            bridging: bridging?,
            weather: weather?,
            morale: morale?,
            citadels: citadels?,
            sources: std::mem::take(&mut self.sources),
        })
    }

    fn chart<C: Chart + DeserializeOwned + JsonSchema>(&mut self) -> Option<C> {
        let Some((path, text)) = self.files.get(C::NAME) else {
            let message = format!("Table {} is missing.", C::NAME);
            self.flaws.push(Flaw::at(self.scenario, self.listed, message, "List its file under files."));
            return None;
        };
        let table: Table<C> = match yaml::read(path, text) {
            Ok(table) => table,
            Err(flaw) => {
                self.flaws.push(flaw);
                return None;
            }
        };
        if table.source.value.trim().is_empty() {
            let cure = "Say where the numbers come from, since reports repeat it.";
            self.flaws.push(Flaw::at(path, &table.source, "The source is empty.", cure));
        }
        let source = Source { provenance: table.provenance, source: table.source.value };
        self.sources.insert(C::NAME.to_owned(), source);
        let faults = table.chart.value.faults();
        let whole = faults.is_empty();
        for fault in faults {
            let cure = "Correct the numbers so that the table keeps what the rulebook says.";
            self.flaws.push(Flaw::at(path, &table.chart, format!("{fault}."), cure));
        }
        whole.then_some(table.chart.value)
    }
}
