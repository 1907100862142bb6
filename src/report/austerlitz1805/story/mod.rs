//! What happened, grouped: what is of one kind and one phase is told in one paragraph, labels for names.

mod tell;
mod turns;
mod words;

pub use turns::summary;
pub use words::{held, line, won};

use crate::rules::austerlitz1805::event::{Cause, Fact, How, Secret, Sighting, Why};
use crate::rules::austerlitz1805::state::At;
use crate::rules::austerlitz1805::view::View;

/// What a paragraph is about; sightings of one topic and phase share one.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Topic {
    /// 4.3 Rally, and what is marked or unmarked with it.
    Rally,
    /// 4.4, 4.5 Bombardment.
    Shots,
    /// 4.6 Movement, turning, forming.
    Moves,
    /// 13.1 Attacks and charges, with what they bring about at once.
    Attacks,
    /// 4.7 Musketry.
    Muskets,
    /// 4.9 A close combat each: the how-manieth in its phase.
    Fight(usize),
    /// 16.4.2.4, 16.4.2.6 Chits that come down or move.
    Chits,
    /// 16.4.2.7 Chits that are uncovered, and the units that come out of them.
    Uncovered,
    /// 16.4 What the reader's side keeps to itself, by kind.
    Own(u8),
    /// 17 Places, targets, the end.
    Score,
    /// 16.2 The fog.
    Sky,
    /// The end of the game: always a paragraph of its own.
    End,
    /// Anything else.
    Rest,
}

/// Sightings that one paragraph tells.
struct Group {
    phase: usize,
    topic: Topic,
    /// Which of those told.
    at: Vec<usize>,
}

/// The paragraphs of a story, and for each sighting the paragraph that tells it.
pub fn write(v: &View, told: &[Sighting]) -> (Vec<String>, Vec<Option<usize>>) {
    let mut paragraphs = Vec::new();
    let mut told_in = vec![None; told.len()];
    for group in together(groups(told), told) {
        let facts: Vec<&Sighting> = group.at.iter().filter_map(|at| told.get(*at)).collect();
        let Some(said) = tell::paragraph(v, &group, &facts) else { continue };
        paragraphs.push(said);
        for at in &group.at {
            if let Some(place) = told_in.get_mut(*at) {
                *place = Some(paragraphs.len());
            }
        }
    }
    (paragraphs, told_in)
}

/// 13.4 Close combats of one phase in which nothing came about share one paragraph.
fn together(groups: Vec<Group>, told: &[Sighting]) -> Vec<Group> {
    let still = |at: &usize| match told.get(*at) {
        Some(Sighting::Open(Fact::Fought { .. } | Fact::Declared { .. })) => true,
        Some(Sighting::Open(Fact::Checked { check })) => check.passed,
        _ => false,
    };
    let mut found: Vec<Group> = Vec::new();
    for group in groups {
        let quiet = matches!(group.topic, Topic::Fight(_)) && group.at.iter().all(still);
        let same = |g: &&mut Group| g.phase == group.phase && g.topic == Topic::Fight(0);
        match found.iter_mut().find(same).filter(|_| quiet) {
            Some(first) => first.at.extend(group.at),
            None => found.push(Group { topic: if quiet { Topic::Fight(0) } else { group.topic }, ..group }),
        }
    }
    found
}

/// Sightings by phase and topic, in the order in which the topics come up.
fn groups(told: &[Sighting]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let (mut phase, mut fights, mut rallying) = (0, 0, false);
    // The group to which what follows from it belongs.
    let mut cause: Option<usize> = None;
    // Attacks that are told with their combat.
    let mut waiting: Vec<usize> = Vec::new();
    for (n, sighting) in told.iter().enumerate() {
        if let Sighting::Open(Fact::Stage { at }) = sighting {
            (phase, cause, fights) = (phase + 1, None, 0);
            rallying = matches!(at, At::Rally(_));
            continue;
        }
        let Some(topic) = topic(sighting, rallying).filter(|_| !turned(sighting, told.get(n + 1))) else { continue };
        if fought_below(sighting, told.get(n + 1..).unwrap_or_default()) {
            waiting.push(n);
            continue;
        }
        let follows = topic == Topic::Rest;
        if matches!(sighting, Sighting::Open(Fact::Fought { .. })) {
            fights += 1;
        }
        let topic = if matches!(topic, Topic::Fight(_)) { Topic::Fight(fights) } else { topic };
        if follows && let Some(group) = cause.and_then(|at| groups.get_mut(at)) {
            group.at.push(n);
            continue;
        }
        let same = groups.iter().position(|g| g.phase == phase && g.topic == topic);
        let place = same.unwrap_or(groups.len());
        let own = |at: &usize| told.get(*at).is_some_and(|declared| of_one_combat(declared, sighting));
        let at: Vec<usize> = waiting.iter().copied().filter(own).chain([n]).collect();
        waiting.retain(|declared| !at.contains(declared));
        match groups.get_mut(place) {
            Some(group) => group.at.extend(at),
            None => groups.push(Group { phase, topic: topic.clone(), at }),
        }
        if !matches!(topic, Topic::Own(_) | Topic::Score | Topic::Sky | Topic::End) {
            cause = Some(place);
        }
    }
    groups
}

/// 13.2, 13.4 Whether one sighting is the attack that brings about the combat of the other.
fn of_one_combat(declared: &Sighting, fought: &Sighting) -> bool {
    let (Sighting::Open(Fact::Declared { combat }), Sighting::Open(Fact::Fought { fought })) = (declared, fought)
    else {
        return false;
    };
    (&combat.lead, &combat.on) == (&fought.lead, &fought.on)
}

/// Whether an attack is told with its combat, which comes below: it would be told twice.
fn fought_below(sighting: &Sighting, below: &[Sighting]) -> bool {
    below.iter().any(|later| of_one_combat(sighting, later))
}

/// 4.9 Whether a combat ends only to go on with the sides changed, as the next sighting says.
fn turned(sighting: &Sighting, next: Option<&Sighting>) -> bool {
    matches!(
        (sighting, next),
        (Sighting::Open(Fact::Ended { .. }), Some(Sighting::Open(Fact::Declared { combat }))) if combat.old
    )
}

/// What a sighting is about; `Rest` is what follows from the one before it, nothing what no paragraph tells.
fn topic(sighting: &Sighting, rallying: bool) -> Option<Topic> {
    let fact = match sighting {
        Sighting::Own(secret) => return own(secret).map(Topic::Own),
        Sighting::Open(fact) => fact,
    };
    Some(match fact {
        Fact::Set { .. } | Fact::Step { .. } | Fact::Steadied { .. } | Fact::Turn { .. } | Fact::Stage { .. } => {
            return None;
        }
        Fact::Fog { .. } => Topic::Sky,
        Fact::Checked { check } if check.why == Cause::Rally => Topic::Rally,
        Fact::Mood { .. } | Fact::Marked { .. } if rallying => Topic::Rally,
        Fact::Aimed { .. } => Topic::Shots,
        Fact::Fired { fire } => match fire.how {
            How::Round | How::Canister => Topic::Shots,
            How::Static | How::Assault => Topic::Muskets,
        },
        Fact::Stood { why, .. } => match why {
            Why::Moved | Why::Turned | Why::Formed | Why::Pivoted => Topic::Moves,
            Why::Attacked | Why::Charged | Why::Rode => Topic::Attacks,
            Why::Retreated
            | Why::Fled
            | Why::Withdrew
            | Why::Advanced
            | Why::Disengaged
            | Why::Halted
            | Why::Reformed => Topic::Rest,
        },
        Fact::Attached { .. } => Topic::Moves,
        // One that stays from before tells nothing new, nor does a bonus that its musketry has told.
        Fact::Declared { combat } if combat.old || combat.bonus > 0 => return None,
        Fact::Declared { .. } => Topic::Attacks,
        Fact::Fought { .. } => Topic::Fight(0),
        Fact::Placed { .. } | Fact::Marched { .. } | Fact::Hid { .. } => Topic::Chits,
        Fact::Uncovered { .. } | Fact::Deployed { .. } => Topic::Uncovered,
        Fact::Control { .. } | Fact::Targets { .. } | Fact::Assault => Topic::Score,
        Fact::Over { .. } => Topic::End,
        Fact::Checked { .. }
        | Fact::Mood { .. }
        | Fact::Marked { .. }
        | Fact::Step1 { .. }
        | Fact::Gone { .. }
        | Fact::Ended { .. }
        | Fact::Backed { .. }
        | Fact::Away { .. }
        | Fact::Returned { .. }
        | Fact::Amended { .. } => Topic::Rest,
    })
}

/// The kinds of what a side keeps to itself that a paragraph tells, each by a number of its own.
fn own(secret: &Secret) -> Option<u8> {
    Some(match secret {
        Secret::Quota { .. } => 0,
        Secret::Column { .. } => 1,
        Secret::Corps { .. } => 2,
        Secret::Filled { .. } => 3,
        Secret::Passed { .. } => 4,
        Secret::Hiding { .. } => 5,
        Secret::GunPlan { .. } => 6,
        Secret::VolleyPlan { .. } => 7,
        Secret::ReturnPlan { .. } => 8,
        // Nobody reads the paper of a side that the solo rules lead.
        Secret::GunsCleared { .. }
        | Secret::VolleysCleared { .. }
        | Secret::Ordered { .. }
        | Secret::Drawn { .. }
        | Secret::Guard { .. }
        | Secret::Signal { .. } => return None,
    })
}
