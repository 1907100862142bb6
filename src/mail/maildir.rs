//! The embedded post: mail in folders of the post office's own directory, in Maildir form.
//!
//! `in` holds what came, `out` what was sent, `bad` what was put aside with the reason beside it. A mail appears
//! whole or not at all: it is written in `tmp`, synced, and only then linked into `new`.

use super::{Inbound, MailError, Outbound, Parcel, Waiting};
use crate::fail;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// Bytes of a waiting file that are read, where the reader's own limit is not known.
const FILE_BYTES_MAX: u64 = 64 << 20;
/// Bytes of mails that are fetched together, at most, above the first.
const FETCH_BYTES_MAX: u64 = 8 << 20;
/// Folders of a Maildir.
const BOXES: [&str; 3] = ["new", "cur", "tmp"];

/// A post office's mail folders: `mail/in`, `mail/out` and `mail/bad`.
#[derive(Debug)]
pub struct Maildir {
    root: PathBuf,
    /// Bytes of a waiting file that are read.
    file_bytes_max: u64,
    /// The names of mails that were found waiting and not yet fetched.
    found: VecDeque<String>,
    /// Number of the next delivery, once the folders have been looked through.
    next_delivery: Option<u64>,
    /// The names of the mails in `out` without their numbers, once it has been looked through.
    sent: Option<BTreeSet<String>>,
    /// Mails that were read in this pass and cannot be moved.
    stuck: BTreeSet<String>,
    /// What the last fetch could not read, and why.
    odd: Vec<(String, String)>,
    /// How often in a row each of them could not be read.
    failed: BTreeMap<String, u32>,
}

/// How often a mail may fail to be read before those behind it are read without it.
const PASSING_MAX: u32 = 3;

impl Maildir {
    /// Opens the folders under `root`, making those that are missing, readable by their owner only.
    pub fn open(root: &Path) -> Result<Maildir, MailError> {
        for side in ["in", "out"] {
            for folder in BOXES {
                make_folder(&root.join(side).join(folder))?;
            }
        }
        make_folder(&root.join("bad"))?;
        Ok(Maildir {
            root: root.to_owned(),
            file_bytes_max: FILE_BYTES_MAX,
            found: VecDeque::new(),
            next_delivery: None,
            sent: None,
            stuck: BTreeSet::new(),
            odd: Vec::new(),
            failed: BTreeMap::new(),
        })
    }

    /// The same, reading one byte more of each waiting mail than its reader takes, and no further.
    #[must_use]
    pub fn reading(mut self, mail_bytes_max: usize) -> Maildir {
        self.file_bytes_max = u64::try_from(mail_bytes_max).unwrap_or(u64::MAX).saturating_add(1);
        self
    }

    /// Puts a mail into `in`, as the world's mail would come, and answers its key.
    pub fn deliver(&mut self, raw: &[u8]) -> Result<String, MailError> {
        let mut number = match self.next_delivery {
            Some(number) => number,
            None => self.last_delivery()? + 1,
        };
        loop {
            let key = format!("{number:012}.estafette");
            number += 1;
            if self.put("in", &key, raw)? {
                self.next_delivery = Some(number);
                return Ok(key);
            }
        }
    }

    /// The mails in `out/new`, raw, in the order in which they were sent.
    pub fn sent(&self) -> Result<Vec<Vec<u8>>, MailError> {
        let folder = self.root.join("out").join("new");
        names(&folder)?.iter().map(|name| read_file(&folder.join(name), FILE_BYTES_MAX).map(|(raw, _)| raw)).collect()
    }

    /// Writes a mail into `side/tmp`, then links it into `side/new`; false where the name is taken.
    fn put(&self, side: &str, name: &str, raw: &[u8]) -> Result<bool, MailError> {
        let written = self.root.join(side).join("tmp").join(name);
        let folder = self.root.join(side).join("new");
        let delivered = folder.join(name);
        write_file(&written, raw)?;
        fail::point("mail/written");
        // A link, unlike a rename, never replaces a mail that is there.
        let linked = match fs::hard_link(&written, &delivered) {
            Ok(()) => Ok(true),
            Err(why) if why.kind() == ErrorKind::AlreadyExists => Ok(false),
            // A disk without links.
            Err(_) if !delivered.exists() => {
                return fs::rename(&written, &delivered)
                    .map_err(|why| MailError::io("write", &delivered, why))
                    .and_then(|()| sync_folder(&folder))
                    .map(|()| true);
            }
            Err(why) => Err(MailError::io("write", &delivered, why)),
        };
        fail::point("mail/linked");
        fs::remove_file(&written).map_err(|why| MailError::io("remove", &written, why))?;
        fail::point("mail/delivered");
        sync_folder(&folder)?;
        linked
    }

    /// The highest number that a delivery of ours has had.
    fn last_delivery(&self) -> Result<u64, MailError> {
        let mut last = 0;
        for folder in [self.root.join("in").join("new"), self.root.join("in").join("cur"), self.root.join("bad")] {
            for name in names(&folder)? {
                let number = name.split('.').next().and_then(|digits| digits.parse().ok());
                if name.contains(".estafette") {
                    last = last.max(number.unwrap_or(0));
                }
            }
        }
        Ok(last)
    }

    /// What the names of all mails in `out` say beside their numbers, wherever a reader has moved them: the digest of
    /// the Message-ID, and how often the mail was asked for again.
    fn sent_names(&self) -> Result<BTreeSet<String>, MailError> {
        let mut found = BTreeSet::new();
        for folder in ["new", "cur"] {
            let names = names(&self.root.join("out").join(folder))?;
            let base = |name: &String| Some(name.split(':').next()?.split_once('.')?.1.to_owned());
            found.extend(names.iter().filter_map(base));
        }
        Ok(found)
    }

    /// Moves a waiting mail to `to`; one that is gone has been moved before.
    fn take(&mut self, key: &str, to: &Path) -> Result<(), MailError> {
        let waiting = self.waiting(key)?;
        fail::point("mail/take");
        match fs::rename(&waiting, to) {
            Err(why) if why.kind() != ErrorKind::NotFound || waiting.exists() => {
                self.stuck.insert(key.to_owned());
                Err(MailError::io("move", &waiting, why))
            }
            _ => Ok(()),
        }
    }

    fn waiting(&self, key: &str) -> Result<PathBuf, MailError> {
        if is_mail_name(key) && !key.contains(['/', '\\']) {
            Ok(self.root.join("in").join("new").join(key))
        } else {
            Err(MailError::BadKey { key: key.to_owned() })
        }
    }
}

impl Inbound for Maildir {
    fn begin(&mut self, _now: jiff::Timestamp, _remembered: Option<&str>) {
        self.stuck.clear();
        self.found.clear();
    }

    fn fetch(&mut self, most: usize) -> Result<Vec<Waiting>, MailError> {
        let folder = self.root.join("in").join("new");
        // The folder is listed once for all that lies in it, not once a batch.
        if self.found.is_empty() {
            let (keys, odd) = listed(&folder)?;
            self.odd = odd;
            self.found = keys.into_iter().filter(|key| !self.stuck.contains(key)).collect();
        }
        let (mut found, mut bytes) = (Vec::new(), 0);
        while found.len() < most && bytes <= FETCH_BYTES_MAX {
            let Some(key) = self.found.pop_front() else { break };
            match read_file(&folder.join(&key), self.file_bytes_max) {
                Ok((raw, size)) => {
                    self.failed.remove(&key);
                    bytes += size.min(self.file_bytes_max);
                    found.push(Waiting { key, raw, size });
                }
                // Another program took it away meanwhile.
                Err(MailError::Io { source, .. }) if source.kind() == ErrorKind::NotFound => {}
                Err(why) => {
                    let times = self.failed.entry(key.clone()).or_insert(0);
                    *times = times.saturating_add(1);
                    let lasting = is_refused(&why) || *times >= PASSING_MAX;
                    self.odd.push((key, why.to_string()));
                    // None may overtake it while it may be read yet.
                    if !lasting {
                        self.found.clear();
                        break;
                    }
                }
            }
        }
        Ok(found)
    }

    fn passed_over(&mut self) -> Vec<(String, String)> {
        std::mem::take(&mut self.odd)
    }

    fn forget(&mut self, before: jiff::Timestamp, bytes_max: u64) -> Result<(), MailError> {
        let folder = self.root.join("bad");
        let mut kept = Vec::new();
        for name in names(&folder)? {
            let Ok(meta) = fs::metadata(folder.join(&name)) else { continue };
            let put = meta.modified().ok().and_then(|at| jiff::Timestamp::try_from(at).ok());
            kept.push((put.unwrap_or(jiff::Timestamp::MIN), name, meta.len()));
        }
        // The newest first, as long as they fit.
        kept.sort_by(|one, two| two.cmp(one));
        let mut bytes = 0_u64;
        for (put, name, size) in kept {
            bytes = bytes.saturating_add(size);
            if put >= before && bytes <= bytes_max {
                continue;
            }
            for path in [folder.join(&name), folder.join(format!("{name}.reason"))] {
                match fs::remove_file(&path) {
                    Err(why) if why.kind() != ErrorKind::NotFound => return Err(MailError::io("remove", &path, why)),
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn handled(&mut self, key: &str) -> Result<(), MailError> {
        let base = key.split(':').next().unwrap_or(key);
        // The flag S says to other mail programs that the mail was seen.
        self.take(key, &self.root.join("in").join("cur").join(format!("{base}:2,S")))
    }

    fn quarantine(&mut self, key: &str, reason: &str) -> Result<(), MailError> {
        let waiting = self.waiting(key)?;
        if waiting.exists() {
            write_file(&self.root.join("bad").join(format!("{key}.reason")), format!("{reason}\n").as_bytes())?;
        }
        self.take(key, &self.root.join("bad").join(key))
    }
}

impl Outbound for Maildir {
    fn send(&mut self, parcel: &Parcel<'_>) -> Result<(), MailError> {
        let digest = HEXLOWER.encode(&Sha256::digest(parcel.message_id.as_bytes()));
        let mut name = digest.get(..32).unwrap_or_default().to_owned();
        if parcel.again > 0 {
            name.push_str(&format!(".{}", parcel.again));
        }
        let mut sent = match self.sent.take() {
            Some(sent) => sent,
            None => self.sent_names()?,
        };
        if !sent.contains(&name) {
            // A taken name holds the same digest, so the mail is there in either case.
            self.put("out", &format!("{:012}.{name}", parcel.number), parcel.raw)?;
            sent.insert(name);
        }
        self.sent = Some(sent);
        Ok(())
    }
}

/// Names of the mails in a folder, sorted; hidden files, folders and names that are no text are passed over.
fn names(folder: &Path) -> Result<Vec<String>, MailError> {
    Ok(listed(folder)?.0)
}

/// What stands in a mailbox and is no mail, and why.
type Odd = (String, String);

/// Names of the mails in a folder, sorted, and what else is there that somebody may take for a mail. Nothing is opened:
/// a pipe would have us wait for ever.
fn listed(folder: &Path) -> Result<(Vec<String>, Vec<Odd>), MailError> {
    let entries = fs::read_dir(folder).map_err(|why| MailError::io("list", folder, why))?;
    let (mut found, mut odd) = (Vec::new(), Vec::new());
    for entry in entries {
        let entry = entry.map_err(|why| MailError::io("list", folder, why))?;
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        match entry.file_name().into_string() {
            Ok(name) if !is_mail_name(&name) => {}
            Ok(name) if is_file => found.push(name),
            Ok(name) => {
                let why = format!("{} is no plain file; take it away.", entry.path().display());
                odd.push((name, why));
            }
            Err(name) => {
                let why = format!("{} has a name that is no text; give it another.", entry.path().display());
                odd.push((name.to_string_lossy().into_owned(), why));
            }
        }
    }
    found.sort();
    odd.sort();
    Ok((found, odd))
}

/// What of a post office's folders the daemon could not use, each as it would use it: listing, writing, moving, taking
/// away; and waiting mails that cannot be read.
#[must_use]
pub fn faults(root: &Path) -> Vec<String> {
    let folders = ["in", "out"].into_iter().flat_map(|side| BOXES.map(|folder| root.join(side).join(folder)));
    let mut all: Vec<String> = folders
        .chain([root.join("bad")])
        .filter_map(|folder| tried(&folder).err())
        .map(|why| why.to_string())
        .collect();
    let waiting = root.join("in").join("new");
    if let Ok((names, odd)) = listed(&waiting) {
        all.extend(odd.into_iter().map(|(_, why)| why));
        let read = |name: &String| read_file(&waiting.join(name), 1).err().map(|why| why.to_string());
        all.extend(names.iter().filter_map(read));
    }
    all
}

/// Does in a folder what the daemon does in it, with a file of our own that nobody takes for a mail.
fn tried(folder: &Path) -> Result<(), MailError> {
    listed(folder)?;
    let (first, second) = (folder.join(".estafette-doctor"), folder.join(".estafette-doctor.moved"));
    let done = write_file(&first, b"a trial\n")
        .and_then(|()| fs::rename(&first, &second).map_err(|why| MailError::io("move", &first, why)))
        .and_then(|()| sync_folder(folder))
        .and_then(|()| fs::remove_file(&second).map_err(|why| MailError::io("remove", &second, why)));
    if done.is_err() {
        // What can be is taken away; the error says what happened.
        let _ = fs::remove_file(&first);
        let _ = fs::remove_file(&second);
    }
    done
}

/// Whether there is any mail in a post office's folders, come or sent.
#[must_use]
pub fn holds_mail(root: &Path) -> bool {
    let boxes = ["in/new", "in/cur", "out/new", "out/cur", "bad"];
    boxes.iter().any(|folder| names(&root.join(folder)).is_ok_and(|names| !names.is_empty()))
}

/// Leaves a copy of a mail that came by another way among those that were taken in, so that [`give_back`] finds it.
///
/// # Errors
/// When it cannot be written.
pub fn keep(root: &Path, raw: &[u8]) -> Result<(), MailError> {
    let (seen, half) = (root.join("in").join("cur"), root.join("in").join("tmp"));
    make_folder(&seen)?;
    make_folder(&half)?;
    // The same mail again has the same name.
    let digest = HEXLOWER.encode(&Sha256::digest(raw));
    let (written, kept) = (half.join(format!("{digest}.kept")), seen.join(format!("{digest}.kept:2,S")));
    write_file(&written, raw)?;
    fs::rename(&written, &kept).map_err(|why| MailError::io("write", &kept, why))?;
    sync_folder(&seen)
}

/// Puts mails that were taken in since a time back among those that wait, so that they are read again; how many. One that
/// is known is known again.
///
/// # Errors
/// A folder that cannot be listed, or a mail that cannot be moved.
pub fn give_back(root: &Path, since: Option<jiff::Timestamp>) -> Result<usize, MailError> {
    let (seen, waiting) = (root.join("in").join("cur"), root.join("in").join("new"));
    let mut count = 0;
    for name in names(&seen)? {
        let path = seen.join(&name);
        let came =
            fs::metadata(&path).and_then(|meta| meta.modified()).map_err(|why| MailError::io("read", &path, why))?;
        let came = jiff::Timestamp::try_from(came).ok();
        // Clocks of disks differ by a little.
        let from = since.and_then(|since| since.checked_sub(jiff::SignedDuration::from_hours(1)).ok());
        if from.zip(came).is_some_and(|(from, came)| came < from) {
            continue;
        }
        let base = name.split(':').next().unwrap_or(&name);
        fs::rename(&path, waiting.join(base)).map_err(|why| MailError::io("move", &path, why))?;
        fail::point("mail/again");
        count += 1;
    }
    sync_folder(&seen)?;
    sync_folder(&waiting)?;
    Ok(count)
}

/// Whether the system refuses a file, which does not pass.
fn is_refused(why: &MailError) -> bool {
    matches!(why, MailError::Io { source, .. } if source.kind() == ErrorKind::PermissionDenied)
}

fn is_mail_name(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('.') && !name.ends_with(".reason")
}

/// The bytes of a file up to the limit, and how many it has.
fn read_file(path: &Path, most: u64) -> Result<(Vec<u8>, u64), MailError> {
    let io = |why| MailError::io("read", path, why);
    let file = File::open(path).map_err(io)?;
    let size = file.metadata().map_err(io)?.len();
    let mut raw = Vec::with_capacity(usize::try_from(size.min(most)).unwrap_or_default());
    file.take(most).read_to_end(&mut raw).map_err(io)?;
    Ok((raw, size))
}

/// Writes a file and has the disk keep it.
fn write_file(path: &Path, bytes: &[u8]) -> Result<(), MailError> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let write = || {
        // One left by a killed attempt may be linked to a delivered mail already: it is replaced, never written into.
        match fs::remove_file(path) {
            Err(why) if why.kind() != ErrorKind::NotFound => return Err(why),
            _ => {}
        }
        let mut file = options.open(path)?;
        // Killed half-way, a file is left that nobody takes for a mail.
        let (first, rest) = bytes.split_at(bytes.len() / 2);
        file.write_all(first)?;
        fail::point("mail/write");
        file.write_all(rest)?;
        file.sync_all()
    };
    write().map_err(|why| MailError::io("write", path, why))
}

/// Has the disk keep a folder's new entry.
fn sync_folder(folder: &Path) -> Result<(), MailError> {
    #[cfg(unix)]
    File::open(folder).and_then(|open| open.sync_all()).map_err(|why| MailError::io("write", folder, why))?;
    Ok(())
}

/// Makes a folder that only its owner can enter, with those above it.
///
/// # Errors
/// When it cannot be made.
pub fn make_folder(path: &Path) -> Result<(), MailError> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path).map_err(|why| MailError::io("make", path, why))
}
