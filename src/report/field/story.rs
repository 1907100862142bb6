//! What happened to several units one after the other, told in one sentence: a march, and checks for the same reason.
//!
//! A ruleset says of each event which steps it tells ([`Step`]), who comes in sight by it ([`Spotted`]) or which check it is
//! ([`Test`]); what is neither is a sentence of its own.

mod checks;
mod march;

use crate::fog::SideId;
use crate::rules::Upshot;
use crate::rules::tactical::sum::Sum;
use crate::rules::tactical::tags::Spot;
use crate::text;
use checks::Checks;
pub use checks::{Check, Test};
use march::March;
pub use march::{Spotted, Step};

/// What is still to be told in one go.
enum Run {
    March(March),
    Checks(Checks),
}

/// The paragraphs that a game's sentences rest on.
pub struct Rules {
    /// Of marches.
    pub going: &'static str,
    /// Of turning.
    pub turning: &'static str,
    /// Of what stops a march.
    pub halting: &'static str,
    /// Of leaders who ride.
    pub riding: &'static str,
    /// Of what comes in sight and goes out of it.
    pub sight: &'static str,
    /// Of what is seen to be held.
    pub holding: &'static str,
    /// Of what units become without a check.
    pub becoming: &'static str,
    /// Of what is taken off the map.
    pub falling: &'static str,
    /// Of who runs as soon as he has been routed.
    pub breaking: &'static str,
    /// The way to go of him, and what he becomes.
    pub breaks: (&'static str, &'static str),
    /// Of each other way to go.
    pub how: fn(&str) -> &'static str,
}

/// The story as it grows: paragraphs, and for each thing told the one that tells of it.
pub struct Story {
    rules: &'static Rules,
    run: Option<Run>,
    lines: Vec<String>,
    told_in: Vec<Option<usize>>,
}

impl Story {
    /// Nothing yet, of so many things told.
    pub fn new(told: usize, rules: &'static Rules) -> Story {
        Story { rules, run: None, lines: Vec::new(), told_in: vec![None; told] }
    }

    /// Tells of the steps or the check of an event together with those before it, if it can be.
    pub fn take(&mut self, at: usize, steps: &[Step<'_>], test: impl Fn() -> Option<Test>) -> bool {
        let taken = match &mut self.run {
            Some(Run::March(march)) => march.take(at, steps),
            Some(Run::Checks(checks)) => checks.take(at, test()),
            None => false,
        };
        let (mut march, mut checks) = (March::default(), Checks::default());
        taken
            || self.runs(at, steps)
            || (march.take(at, steps) && self.begin(Run::March(march)))
            || (checks.take(at, test()) && self.begin(Run::Checks(checks)))
    }

    /// Who runs as soon as he has been routed is told of once.
    fn runs(&mut self, at: usize, steps: &[Step<'_>]) -> bool {
        let (way, becomes) = self.rules.breaks;
        let (Some(Run::Checks(checks)), [Step::Drove(unit, to, how)]) = (&self.run, steps) else { return false };
        let breaks = *how == way && checks.is_only(unit, becomes);
        if breaks {
            let from = checks.from.iter().copied().chain([at]).collect();
            self.run = Some(Run::March(March::broken(unit, how, *to, from)));
        }
        breaks
    }

    /// Tells of what has come in sight or gone out of it, together with the marches; whether it was that.
    pub fn spot(&mut self, at: usize, spot: Option<Spotted>) -> bool {
        if let Some(Run::March(march)) = &mut self.run {
            return march.spot(at, spot);
        }
        let mut march = March::default();
        march.spot(at, spot) && self.begin(Run::March(march))
    }

    /// Tells of what has come in sight, has gone out of it, or is seen to be held; `holder` names a side of whose places it is
    /// told.
    pub fn spots(&mut self, at: usize, spots: &[Spot], holder: impl Fn(&SideId) -> Option<&'static str>) {
        let (sight, holding) = (self.rules.sight, self.rules.holding);
        for spot in spots {
            let said = match spot {
                _ if self.spot(at, Spotted::of(spot)) => continue,
                Spot::Gone { tag } if !spots.contains(&Spot::Lost { tag: *tag }) => {
                    // Who stands there now may be the same one, with another tag.
                    format!("E{tag} comes off the list: its last hex is in sight now. [{sight}]")
                }
                Spot::Leader { leader, hex } => format!("{leader} comes in sight at {hex}. [{sight}]"),
                Spot::LeaderLost { leader } => format!("{leader} is out of sight. [{sight}]"),
                Spot::Town { place, side } => match holder(side) {
                    Some(side) => format!("{side} are seen to hold {place}. [{holding}]"),
                    None => continue,
                },
                _ => continue,
            };
            self.say(at, &said, true);
        }
    }

    /// Tells of one thing with what is seen by it: who steps sees something by his step, and any other is seen first, who fires
    /// and then fires.
    pub fn hear(
        &mut self,
        (at, spots): (usize, &[Spot]),
        holder: impl Fn(&SideId) -> Option<&'static str>,
        is_step: bool,
        tell: impl FnOnce(&mut Story),
    ) {
        if !is_step {
            self.spots(at, spots, &holder);
        }
        tell(self);
        if is_step {
            self.spots(at, spots, &holder);
        }
    }

    fn begin(&mut self, run: Run) -> bool {
        self.close();
        self.run = Some(run);
        true
    }

    /// A sentence of its own; `beside` where marches go on behind it.
    pub fn say(&mut self, at: usize, line: &str, beside: bool) {
        let waits = match &mut self.run {
            Some(Run::March(march)) if beside => march.beside(at, line),
            _ => false,
        };
        if waits {
            return;
        }
        self.close();
        self.lines.push(text::capital(line));
        if let Some(place) = self.told_in.get_mut(at) {
            *place = Some(self.lines.len());
        }
    }

    /// Ends what is told in one go.
    fn close(&mut self) {
        let (lines, from) = match self.run.take() {
            Some(Run::March(march)) => (march.said(self.rules), march.from),
            Some(Run::Checks(checks)) => (vec![checks.said(self.rules)], checks.from),
            None => return,
        };
        let first = self.lines.len() + 1;
        self.lines.extend(lines.iter().map(|line| text::capital(line)));
        for at in from {
            if let Some(place) = self.told_in.get_mut(at) {
                *place = Some(first);
            }
        }
    }

    /// The paragraphs, and for each thing told its paragraph.
    pub fn end(mut self) -> (Vec<String>, Vec<Option<usize>>) {
        self.close();
        (self.lines, self.told_in)
    }
}

/// A line that was lodged and not carried out; `rule` is what it rests on where nothing else is said.
pub fn missed(line: &str, upshot: &Upshot, rule: &str) -> String {
    let rule = match upshot {
        Upshot::Failed { rule } | Upshot::Refused { rule } => rule.as_str(),
        _ => rule,
    };
    format!("{}: \"{line}\", which you lodged. [{rule}]", upshot.word())
}

/// Units that are named who act together; of more their number is told, for the ways tell who they are.
const FEW: usize = 4;

/// Who acts: a few by name, or how many.
pub fn who(units: &[&str]) -> String {
    if units.len() <= FEW { units.join(" ") } else { format!("{} units", units.len()) }
}

/// The modifiers of a die, behind it.
pub fn with(sum: &Sum) -> String {
    if sum.0.is_empty() { String::new() } else { format!(", {}", sum.words()) }
}
