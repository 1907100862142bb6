//! Drawings as PNG: what a mail program shows that shows no SVG.
//!
//! The fonts are our own, so that a picture looks the same wherever it is made. Few colours make it small: they are chosen
//! by median cut (P. Heckbert, 1982) over the pixels of this picture.

use crate::ink;
use crate::memo::Memo;
use resvg::{tiny_skia, usvg};
use std::sync::{Arc, LazyLock};

/// Libertinus Serif: regular, bold, italic.
const FONTS: [&[u8]; 3] = [
    include_bytes!("../../templates/fonts/LibertinusSerif-Regular.otf"),
    include_bytes!("../../templates/fonts/LibertinusSerif-Bold.otf"),
    include_bytes!("../../templates/fonts/LibertinusSerif-Italic.otf"),
];
/// What drawings name, and what stands in for whatever else they name.
const FAMILY: &str = "Libertinus Serif";
/// Colours of a picture.
const COLOURS: usize = 32;
/// The most pixels of a picture, either way.
const SIDE_MOST: u32 = 4000;
/// Bits of a channel that colours are told apart by while they are chosen.
const BITS: u32 = 5;

/// Grounds that are kept: some four megabytes each.
const GROUNDS: usize = 6;

/// The last grounds, each by all that it is drawn from.
static KEPT: LazyLock<Memo<String, Option<tiny_skia::Pixmap>, GROUNDS>> = LazyLock::new(Memo::default);

static OPTIONS: LazyLock<usvg::Options<'static>> = LazyLock::new(|| {
    let mut fonts = usvg::fontdb::Database::new();
    FONTS.iter().for_each(|font| fonts.load_font_data(font.to_vec()));
    fonts.set_serif_family(FAMILY);
    fonts.set_sans_serif_family(FAMILY);
    usvg::Options { fontdb: Arc::new(fonts), font_family: FAMILY.to_owned(), ..usvg::Options::default() }
});

/// Why a drawing is no picture.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RasterError {
    /// It is no SVG.
    #[error("the drawing cannot be read: {0}")]
    Read(#[from] usvg::Error),
    /// It has no size, or is larger than any picture of a mail.
    #[error("a picture of {0} by {1} pixels is not drawn; {SIDE_MOST} is the most")]
    Size(u32, u32),
    /// It cannot be written down.
    #[error("the picture cannot be written: {0}")]
    Write(#[from] png::EncodingError),
}

/// A picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels across and down.
    pub size: (u32, u32),
    /// The PNG.
    pub png: Vec<u8>,
}

/// Draws an SVG at its own size, on whatever it is drawn on: opaque, 32 colours.
///
/// # Errors
/// What is no SVG, or too large.
pub fn picture(svg: &str) -> Result<Picture, RasterError> {
    let drawn = match ink::parted(svg) {
        Some((ground, over)) => {
            // Why a ground cannot be drawn is said of the whole.
            let ground = KEPT.answer(|drawn| *drawn == ground, || (ground.clone(), painted(&ground, None).ok()));
            let below = (*ground).clone();
            if below.is_some() { painted(&over, below)? } else { painted(svg, None)? }
        }
        None => painted(svg, None)?,
    };
    let pixels: Vec<Rgb> = drawn.pixels().iter().map(|p| [p.red(), p.green(), p.blue()]).collect();
    let (palette, indices) = few_colours(&pixels);
    let size = (drawn.width(), drawn.height());
    Ok(Picture { size, png: written(size, &palette, &indices)? })
}

/// Paints a drawing on white, or over what is painted already.
fn painted(svg: &str, below: Option<tiny_skia::Pixmap>) -> Result<tiny_skia::Pixmap, RasterError> {
    let tree = usvg::Tree::from_str(svg, &OPTIONS)?;
    let size = tree.size().to_int_size();
    let (across, down) = (size.width(), size.height());
    let fits = across <= SIDE_MOST && down <= SIDE_MOST;
    let blank = || {
        let mut pixmap = fits.then(|| tiny_skia::Pixmap::new(across, down)).flatten()?;
        pixmap.fill(tiny_skia::Color::WHITE);
        Some(pixmap)
    };
    let mut pixmap = below.or_else(blank).ok_or(RasterError::Size(across, down))?;
    resvg::render(&tree, tiny_skia::Transform::identity(), &mut pixmap.as_mut());
    Ok(pixmap)
}

type Rgb = [u8; 3];

/// Writes a picture of few colours.
fn written((across, down): (u32, u32), palette: &[Rgb], indices: &[u8]) -> Result<Vec<u8>, png::EncodingError> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, across, down);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette.concat());
    // Rows of indices follow from no row above.
    encoder.set_filter(png::Filter::NoFilter);
    encoder.set_compression(png::Compression::Balanced);
    encoder.write_header()?.write_image_data(indices)?;
    Ok(out)
}

/// Colours with the same leading bits, as one: those bits, and how many pixels have them.
type Shade = (Rgb, u64);

/// The leading bits of a colour, as one number.
fn leading(colour: Rgb) -> usize {
    let bits = |channel: u8| usize::from(channel >> (8 - BITS));
    let [red, green, blue] = colour;
    (bits(red) << (2 * BITS)) | (bits(green) << BITS) | bits(blue)
}

/// A palette, and for each pixel the number of its colour there.
fn few_colours(pixels: &[Rgb]) -> (Vec<Rgb>, Vec<u8>) {
    let mut sums: Vec<(u64, [u64; 3])> = vec![(0, [0; 3]); 1 << (3 * BITS)];
    for pixel in pixels {
        if let Some((count, sum)) = sums.get_mut(leading(*pixel)) {
            *count += 1;
            sum.iter_mut().zip(pixel).for_each(|(sum, channel)| *sum += u64::from(*channel));
        }
    }
    let seen = sums.iter().filter(|(count, _)| *count > 0);
    let shades: Vec<Shade> = seen.map(|(count, sum)| (sum.map(|sum| mean(sum, *count)), *count)).collect();
    let boxes = boxes(shades);
    let mut of = vec![0_u8; sums.len()];
    for (number, held) in (0..=u8::MAX).zip(&boxes) {
        for (shade, _) in held {
            if let Some(of) = of.get_mut(leading(*shade)) {
                *of = number;
            }
        }
    }
    let palette = boxes.iter().map(|held| colour(held)).collect();
    (palette, pixels.iter().map(|pixel| of.get(leading(*pixel)).copied().unwrap_or(0)).collect())
}

fn mean(sum: u64, count: u64) -> u8 {
    u8::try_from(sum / count.max(1)).unwrap_or(u8::MAX)
}

/// The mean of what a box holds.
fn colour(held: &[Shade]) -> Rgb {
    let count: u64 = held.iter().map(|(_, count)| count).sum();
    [0, 1, 2].map(|channel: usize| {
        let of = |shade: &Rgb| u64::from(shade.get(channel).copied().unwrap_or(0));
        mean(held.iter().map(|(shade, count)| of(shade) * count).sum(), count)
    })
}

/// Shades in as many boxes as there are colours: the box that would be told worst by one colour is cut first, across its
/// widest channel, with half its pixels on either side.
fn boxes(shades: Vec<Shade>) -> Vec<Vec<Shade>> {
    let mut boxes = vec![shades];
    while boxes.len() < COLOURS {
        let worst = boxes.iter().enumerate().map(|(at, held)| (spread(held), at)).max();
        let Some(((_, channel), at)) = worst.filter(|((spread, _), _)| *spread > 0) else { break };
        let mut held = boxes.swap_remove(at);
        held.sort_by_key(|(shade, _)| (shade.get(channel).copied(), *shade));
        let half: u64 = held.iter().map(|(_, count)| count).sum::<u64>() / 2;
        let mut sum = 0;
        let before = held.iter().take_while(|(_, count)| {
            sum += count;
            sum <= half
        });
        let cut = before.count().clamp(1, held.len().saturating_sub(1).max(1));
        let rest = held.split_off(cut);
        boxes.extend([held, rest]);
    }
    boxes
}

/// How badly one colour would tell a box, and along which channel.
fn spread(held: &[Shade]) -> (u64, usize) {
    let pixels: u64 = held.iter().map(|(_, count)| count).sum();
    let along = |channel: usize| {
        let values = || held.iter().filter_map(|(shade, _)| shade.get(channel));
        let wide = values().max().zip(values().min()).map_or(0, |(most, least)| u64::from(most - least));
        (wide * wide * pixels.isqrt(), channel)
    };
    (0..3).map(along).max().unwrap_or((0, 0))
}
