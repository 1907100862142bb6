//! Three toy rulesets with the stage graphs of the other three games, and a player who plays them through the face alone.

pub mod austerlitz;
pub mod fellows;
pub mod great;
pub mod kit;
pub mod mended;

use estafette::dice::Secrets;
use estafette::fog::SeatId;
use estafette::host::hosted::{Hosted, Kept};
use estafette::host::paper::Paper;
use estafette::host::{Batch, Game, Input, Tempo};

/// A toy's files are one line of options.
pub fn files(options: &str) -> Vec<(String, String)> {
    vec![("toy.txt".to_owned(), options.to_owned())]
}

/// Opens a toy with a master that follows from a seed.
pub fn open<R: Paper>(options: &str, tempo: Tempo, seed: u8, kept: Option<Kept>) -> Box<dyn Game> {
    Box::new(hosted::<R>(options, tempo, seed, kept))
}

pub fn hosted<R: Paper>(options: &str, tempo: Tempo, seed: u8, kept: Option<Kept>) -> Hosted<R> {
    let dice = Secrets::One { master: [seed; 32], salt: [7; 32] };
    Hosted::<R>::open(files(options), "toy-1", dice, tempo, kept).unwrap()
}

/// A table of the three toys and their variants, so that a question can be put to all.
pub type Opener = fn(Tempo, u8, Option<Kept>) -> Box<dyn Game>;
pub const TOYS: [(&str, Opener); 5] = [
    ("great", |t, s, k| open::<great::Gb>("", t, s, k)),
    ("fellows", |t, s, k| open::<fellows::Bf>("", t, s, k)),
    ("fellows planned", |t, s, k| open::<fellows::Bf>("plan", t, s, k)),
    ("great with two seats a side", |t, s, k| open::<great::Gb>("two", t, s, k)),
    ("austerlitz", |t, s, k| open::<austerlitz::Au>("", t, s, k)),
];

/// A small generator for the players' choices; the dice of the games are the protocol's.
pub struct Whim(pub u64);

impl Whim {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % u64::try_from(n.max(1)).unwrap()).unwrap()
    }
}

/// A game being played, with all it gave.
pub struct Table {
    pub game: Box<dyn Game>,
    pub entries: Vec<(u32, String, String)>,
    pub batches: Vec<(Input, Batch)>,
    mails: u32,
}

impl Table {
    pub fn new(game: Box<dyn Game>) -> Table {
        Table { game, entries: Vec::new(), batches: Vec::new(), mails: 0 }
    }

    pub fn begun(game: Box<dyn Game>) -> Table {
        let mut table = Table::new(game);
        table.take(Input::Begin);
        table
    }

    pub fn take(&mut self, input: Input) -> Batch {
        let batch = self.game.take(input.clone()).unwrap();
        self.entries.extend(batch.entries.iter().map(|e| (e.slot, e.kind.to_owned(), e.body.clone())));
        self.batches.push((input, batch.clone()));
        batch
    }

    pub fn mail(&mut self, seat: &str, lines: &[&str], end: bool) -> Batch {
        self.mails += 1;
        let input = mail(seat, lines, end, &format!("m{}", self.mails));
        self.take(input)
    }

    pub fn kept(&self) -> Kept {
        let open = self.batches.last().map(|(_, batch)| batch.open.clone()).unwrap_or_default();
        Kept { snapshot: None, entries: self.entries.clone(), open }
    }

    /// Bodies of one kind of entry.
    pub fn of_kind(&self, kind: &str) -> Vec<String> {
        self.entries.iter().filter(|(_, k, _)| k == kind).map(|(_, _, body)| body.clone()).collect()
    }

    /// The next input of a whimsical player who knows nothing but what the face shows him.
    pub fn whim(&mut self, whim: &mut Whim) -> Input {
        let dues = self.game.dues();
        let due = &dues[whim.below(dues.len())];
        self.mails += 1;
        let id = format!("w{}", self.mails);
        match &due.prompt {
            Some(ask) => mail(&due.seat.0, &[&ask.answers[whim.below(ask.answers.len())]], false, &id),
            None => {
                let lines: Vec<String> = examples(&*self.game, &due.seat);
                let mut chosen: Vec<&str> = Vec::new();
                for _ in 0..whim.below(3) {
                    if !lines.is_empty() {
                        chosen.push(&lines[whim.below(lines.len())]);
                    }
                }
                mail(&due.seat.0, &chosen, whim.below(2) == 0, &id)
            }
        }
    }

    /// Plays on to the end, at most so many inputs; calls `look` after each.
    pub fn play_out(&mut self, whim: &mut Whim, inputs: usize, mut look: impl FnMut(&mut Table)) {
        for _ in 0..inputs {
            if self.batches.last().is_some_and(|(_, batch)| batch.over) {
                return;
            }
            let input = self.whim(whim);
            self.take(input);
            look(self);
        }
        panic!("the game does not end: {:?}", self.game.stage());
    }
}

pub fn mail(seat: &str, lines: &[&str], end: bool, id: &str) -> Input {
    let lines = lines.iter().zip(1..).map(|(text, no)| (no, (*text).to_owned())).collect();
    Input::Orders { seat: SeatId::from(seat), lines, end, mail: id.to_owned() }
}

/// The lines that a seat could send as they stand.
pub fn examples(game: &dyn Game, seat: &SeatId) -> Vec<String> {
    let (_, lines) = game.examples(seat).into_parts();
    lines.into_iter().filter(|l| l.starts_with("  ")).map(|l| l.trim().to_owned()).collect()
}
