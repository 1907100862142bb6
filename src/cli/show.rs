//! What a post office knows, as an operator or a seat may ask on the spot.

use super::args::SeatAt;
use super::doctor::STOPPED;
use super::{Desk, Done, FOUND, Failure, IO, fresh, many, usage};
use crate::clock::Clock;
use crate::fog::{SeatId, SideId};
use crate::gateway::{self, Office, OfficeError, Stands, cinema, commands};
use crate::host::Game;
use crate::host::film::Film;
use crate::host::paper::Format;
use crate::letter::Form;
use crate::letter::replay::{self, Replay};
use crate::letter::sheet::{self, Sheet};
use crate::mail::raster;
use crate::store::{self, Store};
use serde_json::json;
use std::io::Read;
use std::path::Path;

/// Longest file of orders, in bytes.
const ORDERS_BYTES_MAX: u64 = 1 << 20;
/// Mails that came back or were given up, as far back as they are counted.
const TROUBLED_MAX: u32 = 10_000;

/// A game opened to be read.
struct Opened {
    office: Office,
    hosted: Box<dyn Game>,
}

impl Opened {
    /// One of its playing seats by name, and its side.
    fn seat(&self, game: &str, said: &str) -> Result<(SeatId, SideId), Failure> {
        let seats = self.hosted.seats();
        let found = seats.iter().find(|(seat, _)| seat.0 == said).cloned();
        found.ok_or_else(|| {
            let names: Vec<&str> = seats.iter().map(|(seat, _)| seat.0.as_str()).collect();
            usage(format!("{game} has no seat \"{said}\"; its seats are {}.", names.join(", ")))
        })
    }

    /// The game as a film: all of it, or what one seat was told so far.
    fn film(&self, game: &str, seat: Option<&SeatId>) -> Result<Film, Failure> {
        let film = self.hosted.film(seat).into_parts().1;
        let why = || Failure::Said(FOUND, format!("{game} has not begun, or its ruleset draws no map."));
        film.ok_or_else(why)
    }
}

impl Desk<'_> {
    fn opened(&self, dir: &Path, game: &str) -> Result<Opened, Failure> {
        let office = Office::open(dir, self.entries, false)?;
        let row = gateway::game_of(&office.store, game)?;
        let hosted = gateway::table::open(self.entries, &office.store, &row)
            .map_err(|why| Failure::Said(FOUND, format!("{game} cannot be opened: {why}")))?;
        Ok(Opened { office, hosted })
    }

    /// A game and one of its playing seats.
    fn seated(&self, at: &SeatAt) -> Result<(Opened, SeatId), Failure> {
        let opened = self.opened(&at.at.dir, &at.game)?;
        let (seat, _) = opened.seat(&at.game, &at.seat)?;
        Ok((opened, seat))
    }

    pub(super) fn status(&mut self, dir: &Path, game: Option<&str>) -> Done {
        let store = gateway::store_of(dir)?;
        let games = match game {
            Some(id) => vec![gateway::game_of(&store, id)?],
            None => store.games()?,
        };
        let now = gateway::when::kept(Clock::from_env().map_err(OfficeError::from)?.now());
        let troubled = store.troubled_out(TROUBLED_MAX)?;
        let mut facts = Vec::new();
        for row in &games {
            let mut fact = self.facts(&store, row, games.len() < many::MANY)?;
            let bounced = troubled.iter().filter(|mail| mail.game.as_deref() == Some(row.id.as_str())).count();
            let due = fact.get("due").and_then(|due| due.as_array()).cloned().unwrap_or_default();
            let past = |due: &serde_json::Value| {
                due.get("by").and_then(|by| by.as_str()).is_some_and(|by| *by <= *now) && !row.held
            };
            let late: Vec<_> = due.into_iter().filter(past).collect();
            if let Some(fact) = fact.as_object_mut() {
                fact.insert("late".to_owned(), json!(late));
                fact.insert("bounced".to_owned(), json!(bounced));
            }
            facts.push(fact);
        }
        let post = post_facts(&store)?;
        if self.json {
            for fact in &mut facts {
                fact.as_object_mut().map(|fact| fact.insert("post".to_owned(), post.clone()));
            }
            self.say_json(&json!(facts))?;
            return Ok(0);
        }
        self.say_post(&post)?;
        if facts.len() >= many::MANY {
            self.say_all(&many::glance(&facts))?;
            return Ok(0);
        }
        if facts.is_empty() {
            self.say("No games yet.")?;
        }
        for fact in &facts {
            self.say_status(fact)?;
        }
        Ok(0)
    }

    /// Of the mail, only what is not as it should be.
    fn say_post(&mut self, post: &serde_json::Value) -> Result<(), Failure> {
        if let Some(elsewhere) = post.get("elsewhere").and_then(|text| text.as_str()) {
            self.say(&format!("{elsewhere}; what follows is how it stood here."))?;
        }
        if let Some(why) = post.get("stopped").and_then(|why| why.as_str()) {
            self.say(&format!("{STOPPED}: {why}; `estafette clock` names the cure"))?;
        }
        for (key, what) in [("in", "fetching"), ("out", "sending")] {
            let text =
                |field| post.get(key).and_then(|away| away.get(field)).and_then(|f| f.as_str()).unwrap_or_default();
            if !text("why").is_empty() {
                self.say(&format!("mail: {what} is at rest since {}: {}", text("since"), text("why")))?;
            }
        }
        for ailing in post.get("failing").and_then(|failing| failing.as_array()).into_iter().flatten() {
            let Ok(ailing) = serde_json::from_value::<gateway::Ailing>(ailing.clone()) else { continue };
            self.say(&format!("not working since {}: {}: {}", ailing.since, ailing.place, ailing.why))?;
        }
        let failed = post.get("failed").and_then(serde_json::Value::as_u64).unwrap_or(0);
        let came_back = post.get("came_back").and_then(serde_json::Value::as_u64).unwrap_or(0);
        if failed + came_back > 0 {
            let line = format!("mail: {failed} given up, {came_back} came back; see `estafette mail list`");
            self.say(&line)?;
        }
        for bounce in post.get("bounces").and_then(|b| b.as_array()).into_iter().flatten() {
            let text = |key| bounce.get(key).and_then(|value| value.as_str()).unwrap_or_default();
            let count = bounce.get("count").and_then(serde_json::Value::as_u64).unwrap_or_default();
            self.say(&format!("  {count} came back from {} ({}/{})", text("address"), text("game"), text("seat")))?;
        }
        Ok(())
    }

    /// What is so of a game. Where there are many, none is opened that said where it stands when it was last written.
    fn facts(&self, store: &Store, row: &store::Game, open: bool) -> Result<serde_json::Value, Failure> {
        let kept = if open { None } else { Stands::kept(store, &row.id)? };
        let stands = match kept {
            Some(kept) => Ok(kept),
            None => gateway::table::open(self.entries, store, row).map(|game| Stands::of(game.as_ref(), row.state)),
        };
        let (stands, fault) = match stands {
            Ok(stands) => (Some(stands), None),
            Err(why) => (None, Some(why.to_string())),
        };
        let seats: Vec<serde_json::Value> = store
            .seats(&row.id)?
            .into_iter()
            .map(|s| json!({"seat": s.seat, "signed_on": s.signed_on, "mails": s.mails_sent}))
            .collect();
        let dues: Vec<serde_json::Value> = store
            .dues(&row.id)?
            .into_iter()
            .map(|d| json!({"seat": d.seat, "address": d.address, "by": d.due_at}))
            .collect();
        Ok(json!({
            "game": row.id, "ruleset": row.ruleset, "state": row.state.as_str(), "held": row.held,
            "turn": stands.as_ref().map(|stands| stands.turn),
            "stage": stands.as_ref().and_then(|stands| stands.stage.clone()),
            "on_move": stands.map(|stands| stands.on_move).unwrap_or_default(),
            "seats": seats, "due": dues, "fault": fault,
        }))
    }

    fn say_status(&mut self, fact: &serde_json::Value) -> Result<(), Failure> {
        let text = |value: &serde_json::Value, key: &str| match value.get(key) {
            Some(serde_json::Value::String(text)) => text.clone(),
            Some(serde_json::Value::Null) | None => "-".to_owned(),
            Some(other) => other.to_string(),
        };
        let held = if text(fact, "held") == "true" { ", HELD" } else { "" };
        let (game, ruleset, state) = (text(fact, "game"), text(fact, "ruleset"), text(fact, "state"));
        self.say(&format!(
            "{game}   {ruleset}   {state}{held}   turn {}   {}",
            text(fact, "turn"),
            text(fact, "stage")
        ))?;
        for due in fact.get("due").and_then(|d| d.as_array()).into_iter().flatten() {
            let by =
                due.get("by").and_then(|b| b.as_str()).map_or_else(|| "no deadline".to_owned(), gateway::when::said_of);
            self.say(&format!("  due   {:<12} {:<40} {by}", text(due, "seat"), text(due, "address")))?;
        }
        for seat in fact.get("seats").and_then(|s| s.as_array()).into_iter().flatten() {
            let signed = if text(seat, "signed_on") == "-" { "not signed on" } else { "signed on" };
            self.say(&format!("  seat  {:<12} {signed}, {} mails", text(seat, "seat"), text(seat, "mails")))?;
        }
        match fact.get("fault").and_then(|f| f.as_str()) {
            Some(fault) => self.say(&format!("  fault {fault}")),
            None => Ok(()),
        }
    }

    pub(super) fn report(&mut self, at: &SeatAt, turn: Option<u32>) -> Done {
        let mut opened = self.opened(&at.at.dir, &at.game)?;
        let sections = if gateway::is_umpire(&at.seat) {
            opened.office.look(&at.game, &at.seat)?;
            opened.hosted.truth()
        } else {
            let (seat, _) = opened.seat(&at.game, &at.seat)?;
            opened.hosted.report(&seat, turn)
        };
        let mut context = gateway::context(sections.body());
        context.open_slot = opened.hosted.slot();
        context.turn = opened.hosted.slot();
        context.game = at.game.clone();
        if self.json {
            self.say_json(&serde_json::to_value(&context).unwrap_or_default())?;
            return Ok(0);
        }
        let body = opened.office.fill("sections.txt", &context, Form::WIDE)?;
        self.say(&format!("{}   {}", at.game.to_uppercase(), context.head))?;
        self.say(body.trim_end())?;
        Ok(0)
    }

    /// The sheet of a seat: its view as data, and the drawing of its ground.
    fn seat_view(&mut self, at: &SeatAt) -> Result<Sheet, Failure> {
        let (opened, seat) = self.seated(at)?;
        let row = gateway::game_of(&opened.office.store, &at.game)?;
        let mut context = gateway::context(opened.hosted.report(&seat, None).body());
        let now = Clock::from_env().map_err(OfficeError::from)?.now();
        context.due = gateway::due_of(&opened.office.store, &row, &seat, now)?;
        let sheet = gateway::seat_view(&row, &*opened.hosted, &seat, &context);
        sheet.ok_or_else(|| Failure::Said(FOUND, "Not yet: this game has no order sheet.".to_owned()))
    }

    /// The view of a seat, as JSON.
    pub(super) fn view(&mut self, at: &SeatAt) -> Done {
        let sheet = self.seat_view(at)?;
        self.say_json(&serde_json::to_value(&sheet.view).unwrap_or_default())?;
        Ok(0)
    }

    /// Writes the order sheet of a seat into a file.
    pub(super) fn sheet(&mut self, at: &SeatAt, file: &Path) -> Done {
        let page = sheet::page(&self.seat_view(at)?);
        self.paged(file, page)
    }

    /// Writes a game as a page: what a seat was told so far; all of it, when it is over.
    pub(super) fn replay(&mut self, dir: &Path, game: &str, seat: Option<&str>, file: &Path) -> Done {
        let opened = self.opened(dir, game)?;
        let over = opened.hosted.stage().is_none();
        if seat.is_none() && !over {
            let seats = opened.hosted.seats();
            let first = seats.first().map_or("", |(seat, _)| seat.0.as_str());
            return Err(usage(format!(
                "{game} is still being played: --seat {first} shows what that seat was told so far; `estafette desk \
                 {game}` is for its umpire."
            )));
        }
        let watcher = seat.map(|said| opened.seat(game, said)).transpose()?;
        let side = watcher.as_ref().map(|(_, side)| side.0.as_str());
        let film = opened.film(game, watcher.as_ref().map(|(seat, _)| seat).filter(|_| !over))?;
        let title = match side {
            Some(side) if !over => format!("{game}: what {side} was told"),
            _ => format!("{game}: the whole game"),
        };
        let page = replay::page(&Replay { title: &title, film: &film, first: side, last: false, panels: &[] });
        self.paged(file, page)
    }

    /// Writes the umpire's desk as a page.
    pub(super) fn umpires_desk(&mut self, dir: &Path, (game, umpire): (&str, &str), file: &Path) -> Done {
        let mut opened = self.opened(dir, game)?;
        let film = opened.film(game, None)?;
        let panels = opened.office.desk(game, umpire, &film)?;
        self.paged(file, cinema::desk_page(game, &film, &panels))
    }

    /// Writes a page into a file, or to standard output.
    fn paged(&mut self, file: &Path, page: Result<String, String>) -> Done {
        let page = page.map_err(|why| Failure::Said(IO, why))?;
        self.laid(file, &page, "written; any browser opens it.")
    }

    /// Writes a text into a file, or to standard output.
    fn laid(&mut self, file: &Path, text: &str, said: &str) -> Done {
        if file.as_os_str() == "-" {
            self.say(text.trim_end())?;
            return Ok(0);
        }
        self.kept(file, text.as_bytes(), said)
    }

    pub(super) fn map(&mut self, at: &SeatAt, area: Option<&str>) -> Done {
        let (opened, seat) = self.seated(at)?;
        let lines = opened.hosted.map(&seat, area, Format::default()).body().clone();
        self.print("map", &lines)
    }

    /// The map of a seat, drawn.
    fn plate(&mut self, at: &SeatAt, area: Option<&str>) -> Result<String, Failure> {
        let (opened, seat) = self.seated(at)?;
        let drawn = opened.hosted.plate(&seat, area).body().clone();
        let none = "Not yet: this game has no drawn map. Leave out --svg and --png for the text.";
        let drawn = drawn.ok_or_else(|| Failure::Said(FOUND, none.to_owned()))?;
        drawn.map_err(|fault| Failure::Said(FOUND, fault))
    }

    /// Draws the map of a seat into a file.
    pub(super) fn drawn(&mut self, at: &SeatAt, area: Option<&str>, file: &Path) -> Done {
        let svg = self.plate(at, area)?;
        self.laid(file, &svg, "drawn; any browser shows it.")
    }

    /// Draws the map of a seat into a file, as its mails show it.
    pub(super) fn picture(&mut self, at: &SeatAt, area: Option<&str>, file: &Path) -> Done {
        let svg = self.plate(at, area)?;
        let picture = raster::picture(&svg).map_err(|error| Failure::Said(IO, error.to_string()))?;
        self.kept(file, &picture.png, "drawn.")
    }

    fn kept(&mut self, file: &Path, bytes: &[u8], said: &str) -> Done {
        fresh::write_whole(file, bytes)?;
        self.say(&format!("{}  {said}", file.display()))?;
        Ok(0)
    }

    pub(super) fn history(&mut self, at: &SeatAt, turn: Option<u32>) -> Done {
        let (opened, seat) = self.seated(at)?;
        let lines = opened.hosted.history(&seat, turn).body().clone();
        self.print("history", &lines)
    }

    pub(super) fn orders(&mut self, at: &SeatAt) -> Done {
        let (opened, seat) = self.seated(at)?;
        let lines = opened.hosted.examples(&seat).body().clone();
        self.print("orders", &lines)
    }

    fn print(&mut self, name: &str, lines: &[String]) -> Done {
        if self.json {
            self.say_json(&json!({ name: lines }))?;
        } else {
            self.say_all(lines)?;
        }
        Ok(0)
    }

    pub(super) fn check(&mut self, at: &SeatAt, file: &Path) -> Done {
        let text = orders_text(file)?;
        let (opened, seat) = self.seated(at)?;
        let script: Vec<String> = text.lines().map(str::to_owned).collect();
        let items = commands::split_of(&script, &*opened.hosted, &seat);
        let lines = gateway::orders_of(&items);
        let checked = opened.hosted.check(&seat, &lines);
        let answers: Vec<_> = checked.body().iter().map(|a| gateway::answer(a, "TAKEN")).collect();
        let wrong = checked.body().iter().any(|a| a.outcome.is_some());
        if self.json {
            self.say_json(&serde_json::to_value(&answers).unwrap_or_default())?;
        } else {
            let context = crate::letter::Context { answers, ..crate::letter::Context::default() };
            let body = opened.office.fill("answers.txt", &context, Form::WIDE)?;
            self.say(body.trim_end())?;
        }
        Ok(if wrong { FOUND } else { 0 })
    }
}

pub(super) fn orders_text(file: &Path) -> Result<String, Failure> {
    let mut text = String::new();
    let read = if file.as_os_str() == "-" {
        std::io::stdin().lock().take(ORDERS_BYTES_MAX).read_to_string(&mut text)
    } else {
        std::fs::File::open(file).and_then(|opened| opened.take(ORDERS_BYTES_MAX).read_to_string(&mut text))
    };
    read.map(|_| text).map_err(|error| Failure::Said(IO, format!("{}: {error}", file.display())))
}

/// How the post stands: what waits, what was given up, what came back, and which server is away.
fn post_facts(store: &Store) -> Result<serde_json::Value, Failure> {
    let (waiting, failed) = store.outbox_counts()?;
    let away = |way| -> Result<serde_json::Value, Failure> {
        Ok(gateway::away(store, way)?.map_or(serde_json::Value::Null, |away| json!(away)))
    };
    let bounces = store.bounces()?;
    let came_back: u64 = bounces.iter().map(|(.., count)| u64::from(*count)).sum();
    let bounces: Vec<serde_json::Value> = bounces
        .into_iter()
        .map(|(game, seat, address, count)| json!({"game": game, "seat": seat, "address": address, "count": count}))
        .collect();
    Ok(json!({"waiting": waiting, "failed": failed, "came_back": came_back, "bounces": bounces,
        "stopped": gateway::stopped(store)?,
        "elsewhere": store.whereabouts()?.map(|elsewhere| format!("{}: {elsewhere}", store.path().display())),
        "in": away(gateway::Way::In)?, "out": away(gateway::Way::Out)?, "failing": gateway::ailing(store)?}))
}
