//! The exact plane against a slow implementation of its own, in rational numbers of any size.

use estafette::plane::near::Line;
use estafette::plane::shape::{Flaw, Shape};
use estafette::plane::sight::{crosses, sees};
use estafette::plane::walk::{clear, moved, reach, turn_room};
use estafette::plane::{FINE, Fine, Heading, Size, Spot, Stand};
use num_bigint::BigInt;
use num_rational::BigRational;
use proptest::prelude::*;

/// The slow way: every number a fraction without bounds, every question answered by another method than the house's.
mod slow {
    use super::*;

    pub type R = BigRational;
    pub type P = (R, R);

    fn r(n: i64) -> R {
        R::from_integer(BigInt::from(n))
    }

    pub fn p(f: Fine) -> P {
        (r(f.x), r(f.y))
    }

    pub fn corners(s: &Shape) -> Vec<P> {
        s.corners().iter().map(|c| p(*c)).collect()
    }

    fn sub(a: &P, b: &P) -> P {
        (&a.0 - &b.0, &a.1 - &b.1)
    }

    fn cross(a: &P, b: &P) -> R {
        &a.0 * &b.1 - &a.1 * &b.0
    }

    /// Twice the area, by the shoelace.
    pub fn area(poly: &[P]) -> R {
        let mut sum = r(0);
        for i in 0..poly.len() {
            let (a, b) = (&poly[i], &poly[(i + 1) % poly.len()]);
            sum += &a.0 * &b.1 - &a.1 * &b.0;
        }
        sum
    }

    /// What is left of a polygon to the left of a line: corners are cut off one after the other.
    fn clip(poly: &[P], a: &P, b: &P) -> Vec<P> {
        let side = |q: &P| cross(&sub(b, a), &sub(q, a));
        let mut out = Vec::new();
        for i in 0..poly.len() {
            let (q, n) = (&poly[i], &poly[(i + 1) % poly.len()]);
            let (sq, sn) = (side(q), side(n));
            if sq >= r(0) {
                out.push(q.clone());
            }
            if (sq > r(0) && sn < r(0)) || (sq < r(0) && sn > r(0)) {
                let t = &sq / (&sq - &sn);
                out.push((&q.0 + &t * (&n.0 - &q.0), &q.1 + &t * (&n.1 - &q.1)));
            }
        }
        out
    }

    /// The ground in common, as a polygon.
    pub fn common(a: &[P], b: &[P]) -> Vec<P> {
        let mut left = a.to_vec();
        for i in 0..b.len() {
            left = clip(&left, &b[i], &b[(i + 1) % b.len()]);
        }
        left
    }

    /// Whether the ground in common reaches beyond a line through a place, across a way.
    pub fn overlaps_beyond(a: &[P], b: &[P], at: &P, ahead: &P) -> bool {
        let right = (&at.0 + &ahead.1, &at.1 - &ahead.0);
        let both = clip(&common(a, b), at, &right);
        both.len() >= 3 && area(&both) > r(0)
    }

    pub fn overlaps(a: &[P], b: &[P]) -> bool {
        let both = common(a, b);
        both.len() >= 3 && area(&both) > r(0)
    }

    /// The square of the gap: the least over all pairs of a corner and a side, the foot of the perpendicular held to the
    /// side; none where any ground is in common.
    pub fn gap(a: &[P], b: &[P]) -> R {
        if !common(a, b).is_empty() {
            return r(0);
        }
        let mut least: Option<R> = None;
        for (x, y) in [(a, b), (b, a)] {
            for q in x {
                for i in 0..y.len() {
                    let (s, e) = (&y[i], &y[(i + 1) % y.len()]);
                    let way = sub(e, s);
                    let to = sub(q, s);
                    let t = (&to.0 * &way.0 + &to.1 * &way.1) / (&way.0 * &way.0 + &way.1 * &way.1);
                    let t = t.max(r(0)).min(r(1));
                    let d = (&to.0 - &t * &way.0, &to.1 - &t * &way.1);
                    let square = &d.0 * &d.0 + &d.1 * &d.1;
                    least = Some(least.map_or(square.clone(), |l| l.min(square)));
                }
            }
        }
        least.expect("polygons have corners")
    }

    /// Whether the line between two places has a stretch inside a polygon: it is cut at every side, and the middle of each
    /// piece is looked at.
    pub fn crosses(from: &P, to: &P, poly: &[P]) -> bool {
        let at = |t: &R| (&from.0 + t * (&to.0 - &from.0), &from.1 + t * (&to.1 - &from.1));
        let mut cuts = vec![r(0), r(1)];
        for i in 0..poly.len() {
            let (a, b) = (&poly[i], &poly[(i + 1) % poly.len()]);
            let side = sub(b, a);
            let (s, e) = (cross(&side, &sub(from, a)), cross(&side, &sub(to, a)));
            if s != e {
                let t = &s / (&s - &e);
                if t > r(0) && t < r(1) {
                    cuts.push(t);
                }
            }
        }
        cuts.sort();
        let within = |q: &P| {
            (0..poly.len()).all(|i| cross(&sub(&poly[(i + 1) % poly.len()], &poly[i]), &sub(q, &poly[i])) > r(0))
        };
        cuts.windows(2).any(|w| w[0] < w[1] && within(&at(&((&w[0] + &w[1]) / r(2)))))
    }

    /// Whether any part of a target is seen: its sides are cut where lines from the eye through corners meet them, and the
    /// middle of each piece is looked at.
    pub fn sees(eye: &P, target: &[P], past: &[Vec<P>]) -> bool {
        let corners: Vec<&P> = past.iter().flatten().collect();
        for i in 0..target.len() {
            let (a, b) = (&target[i], &target[(i + 1) % target.len()]);
            let side = sub(b, a);
            let mut cuts = vec![r(0), r(1)];
            for c in &corners {
                let way = sub(c, eye);
                let turn = cross(&way, &side);
                if turn != r(0) {
                    // a + t side lies on the line through the eye and the corner.
                    let t = cross(&way, &sub(eye, a)) / turn;
                    if t > r(0) && t < r(1) {
                        cuts.push(t);
                    }
                }
            }
            // Where sides of other shapes meet this side, what hides begins or ends too.
            for poly in past {
                for k in 0..poly.len() {
                    let (s, e) = (&poly[k], &poly[(k + 1) % poly.len()]);
                    let other = sub(e, s);
                    let turn = cross(&other, &side);
                    if turn != r(0) {
                        let t = cross(&other, &sub(s, a)) / turn;
                        if t > r(0) && t < r(1) {
                            cuts.push(t);
                        }
                    }
                }
            }
            cuts.sort();
            for w in cuts.windows(2).filter(|w| w[0] < w[1]) {
                let t = (&w[0] + &w[1]) / r(2);
                let look = (&a.0 + &t * &side.0, &a.1 + &t * &side.1);
                let own = crosses(eye, &look, target);
                if !own && past.iter().all(|s| !crosses(eye, &look, s)) {
                    return true;
                }
            }
        }
        false
    }
}

fn spot() -> impl Strategy<Value = Spot> {
    (0..3000i32, 0..3000i32).prop_map(|(x, y)| Spot::new(x, y))
}

fn stand() -> impl Strategy<Value = Stand> {
    (0..3000 * FINE, 0..3000 * FINE, 0..360i32)
        .prop_map(|(x, y, h)| Stand { at: Fine { x, y }, heading: Heading::new(h) })
}

fn size() -> impl Strategy<Value = Size> {
    prop_oneof![
        Just((1000, 250)),
        Just((500, 500)),
        Just((700, 700)),
        Just((250, 500)),
        Just((250, 250)),
        (1..1500, 1..1500)
    ]
    .prop_map(|(front, depth)| Size { front, depth })
}

fn block() -> impl Strategy<Value = Shape> {
    prop_oneof![
        4 => (stand(), size()).prop_map(|(s, z)| Shape::block(s, z)),
        1 => (stand(), 1..3000i32, 1..800i32).prop_map(|(s, l, w)| Shape::cone(s, l, w)),
        // On a coarse grid and square to it, so that borders and corners often fall together.
        2 => (0..12i32, 0..12i32, 0..4i32).prop_map(|(x, y, h)| {
            let stand = Stand { at: Spot::new(x * 250, y * 250).fine(), heading: Heading::new(h * 90) };
            Shape::block(stand, Size { front: 500, depth: 500 })
        }),
    ]
}

fn square(gap: &slow::R, units: i32) -> bool {
    let fine = BigInt::from(i64::from(units) * FINE);
    *gap <= slow::R::from_integer(&fine * &fine)
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn overlap_and_gap_agree_with_the_slow_way(a in block(), b in block(), units in 0..3000i32) {
        let (sa, sb) = (slow::corners(&a), slow::corners(&b));
        prop_assert_eq!(a.overlaps(&b), slow::overlaps(&sa, &sb));
        prop_assert_eq!(b.overlaps(&a), a.overlaps(&b));
        let gap = slow::gap(&sa, &sb);
        prop_assert_eq!(a.meets(&b), gap == slow::R::from_integer(0.into()));
        prop_assert_eq!(a.gap(&b).within(units), square(&gap, units));
        prop_assert_eq!(a.near(&b, units), a.gap(&b).within(units));
        let whole = a.gap(&b).units();
        prop_assert!(square(&gap, whole) && (whole == 0 || !square(&gap, whole - 1)));
        prop_assert_eq!(a.gap(&b), b.gap(&a));
    }

    #[test]
    fn common_ground_beyond_a_line_agrees_with_the_slow_way(
        a in block(), b in block(), at in spot(), way in 0..360i32, own in any::<bool>()
    ) {
        // Half of the lines are the fronts of one of the two: a block that has turned against the one that it was.
        let ahead = Heading::new(way);
        let line = Line { at: if own { a.corners()[0] } else { at.fine() }, ahead };
        let (sa, sb) = (slow::corners(&a), slow::corners(&b));
        let beyond = slow::overlaps_beyond(&sa, &sb, &slow::p(line.at), &slow::p(ahead.ray()));
        prop_assert_eq!(a.overlaps_beyond(&b, line), beyond);
        prop_assert_eq!(b.overlaps_beyond(&a, line), beyond);
    }

    #[test]
    fn gaps_are_ordered_as_the_slow_way_orders_them(a in block(), b in block(), c in block()) {
        let (sa, sb, sc) = (slow::corners(&a), slow::corners(&b), slow::corners(&c));
        prop_assert_eq!(a.gap(&b).cmp(&a.gap(&c)), slow::gap(&sa, &sb).cmp(&slow::gap(&sa, &sc)));
    }

    #[test]
    fn sight_agrees_with_the_slow_way(eye in spot(), target in block(), past in prop::collection::vec(block(), 0..4)) {
        let from = slow::p(eye.fine());
        let others: Vec<_> = past.iter().map(slow::corners).collect();
        prop_assume!(!target.holds(eye.fine()));
        prop_assert_eq!(sees(eye.fine(), &target, &past), slow::sees(&from, &slow::corners(&target), &others));
        for shape in &past {
            let to = target.corners()[0];
            prop_assert_eq!(crosses(eye.fine(), to, shape), slow::crosses(&from, &slow::p(to), &slow::corners(shape)));
        }
    }

    #[test]
    fn a_block_goes_as_far_as_it_can_and_no_farther(
        start in stand(), size in size(), way in 0..360i32, units in 0..4000i32,
        obstacles in prop::collection::vec(block(), 0..5),
    ) {
        let way = Heading::new(way);
        let got = reach(start, size, way, units, &obstacles);
        let here = Shape::block(start, size);
        let hinder: Vec<&Shape> = obstacles.iter().filter(|o| !here.overlaps(o)).collect();
        let free = |go: i32| {
            let path = slow::corners(&here.swept(&Shape::block(moved(start, way, go), size)));
            hinder.iter().all(|o| !slow::overlaps(&path, &slow::corners(o)))
        };
        prop_assert!(got.units == 0 || free(got.units));
        prop_assert_eq!(got.stopped.is_some(), got.units < units);
        prop_assert!(got.units == units || !free(got.units + 1));
    }

    #[test]
    fn a_block_comes_to_stand_as_far_as_it_can_upon_nobody(
        begin in spot(), facing in 0..360i32, size in size(), way in 0..360i32, units in 0..200i32,
        obstacles in prop::collection::vec(block(), 0..5),
    ) {
        let (start, way) = (Stand { at: begin.fine(), heading: Heading::new(facing) }, Heading::new(way));
        let here = slow::corners(&Shape::block(start, size));
        let bars: Vec<_> = obstacles.iter().map(slow::corners).filter(|o| !slow::overlaps(&here, o)).collect();
        let free = |far: i32| {
            let there = Stand { at: moved(start, way, far).at.spot().fine(), ..start };
            let there = slow::corners(&Shape::block(there, size));
            bars.iter().all(|o| !slow::overlaps(&there, o))
        };
        let got = clear(start, size, way, units, &obstacles);
        prop_assert!(free(got));
        prop_assert!((got + 1..=units).all(|far| !free(far)));
    }

    #[test]
    fn headings_point_from_place_to_place(a in spot(), b in spot()) {
        match Heading::between(a.fine(), b.fine()) {
            None => prop_assert_eq!(a, b),
            Some(h) => {
                // Half a degree off at the most: the sine of it is below 0.00883 with the rounding of the table.
                let (dx, dy) = (i64::from(b.x - a.x), i64::from(b.y - a.y));
                let (across, along) = (dx * h.ray().y - dy * h.ray().x, dx * h.ray().x + dy * h.ray().y);
                prop_assert!(along > 0 && across.abs() * 1000 <= along * 9);
                // No other degree lies nearer; of two that lie alike, the lower.
                let off = |h: Heading| (dx * h.ray().y - dy * h.ray().x).abs();
                let ahead = |h: &Heading| dx * h.ray().x + dy * h.ray().y > 0;
                let best = (0..360).map(Heading::new).filter(ahead).min_by_key(|h| (off(*h), h.degrees()));
                prop_assert_eq!(best, Some(h));
            }
        }
    }
}

/// 300 random positions a question in the test command, more by `PLANE`.
fn rounds() -> u32 {
    std::env::var("PLANE").ok().and_then(|n| n.parse().ok()).unwrap_or(300)
}

/// As many positions as asked for; those that a property has no question to are left out, however many they are.
fn config() -> ProptestConfig {
    ProptestConfig { max_global_rejects: rounds().max(1_024), ..ProptestConfig::with_cases(rounds()) }
}

fn at(x: i32, y: i32, degrees: i32) -> Stand {
    Stand { at: Spot::new(x, y).fine(), heading: Heading::new(degrees) }
}

#[test]
fn the_rays_of_the_compass_are_exact_on_the_axes_and_mirror_each_other() {
    assert_eq!(Heading::new(0).ray(), Fine { x: 0, y: 10_000 });
    assert_eq!(Heading::new(90).ray(), Fine { x: 10_000, y: 0 });
    assert_eq!(Heading::new(180).ray(), Fine { x: 0, y: -10_000 });
    assert_eq!(Heading::new(-90).ray(), Fine { x: -10_000, y: 0 });
    for degrees in 0..360 {
        let (a, b) = (Heading::new(degrees).ray(), Heading::new(degrees + 180).ray());
        assert_eq!((a.x, a.y), (-b.x, -b.y), "{degrees}");
        let length = a.x * a.x + a.y * a.y;
        assert!((length - 100_000_000).abs() <= 15_000, "{degrees}: {length}");
    }
}

#[test]
fn headings_are_read_as_degrees_and_as_winds() {
    assert_eq!(Heading::parse("090"), Some(Heading::new(90)));
    assert_eq!(Heading::parse("sw"), Some(Heading::new(225)));
    assert_eq!(Heading::parse("NNE"), Some(Heading::new(22)));
    for wrong in ["", "360", "-1", "0000", "north", "9o"] {
        assert_eq!(Heading::parse(wrong), None, "{wrong}");
    }
    assert_eq!(Heading::new(350).off(Heading::new(10)), 20);
    assert_eq!(Heading::new(10).off(Heading::new(350)), -20);
    assert_eq!(Heading::new(0).off(Heading::new(180)), 180);
}

#[test]
fn a_line_of_a_brigade_has_its_front_before_it() {
    let line = Shape::block(at(2000, 2000, 90), Size { front: 1000, depth: 250 });
    let corner = |x: i64, y: i64| Fine { x: x * FINE, y: y * FINE };
    let mut corners = line.corners().to_vec();
    corners.sort_unstable();
    let mut wanted: Vec<Fine> =
        [(2125, 1500), (2125, 2500), (1875, 1500), (1875, 2500)].iter().map(|(x, y)| corner(*x, *y)).collect();
    wanted.sort_unstable();
    assert_eq!(corners, wanted);
}

#[test]
fn shared_borders_touch_and_do_not_overlap() {
    let size = Size { front: 500, depth: 500 };
    let a = Shape::block(at(1000, 1000, 0), size);
    let b = Shape::block(at(1500, 1000, 90), size);
    assert!(!a.overlaps(&b) && a.meets(&b) && a.gap(&b).units() == 0);
    let c = Shape::block(at(1501, 1000, 0), size);
    assert!(!a.meets(&c) && a.gap(&c).units() == 1 && a.gap(&c).within(1) && !a.gap(&c).within(0));
}

#[test]
fn a_retreat_of_one_um_stops_at_the_first_friend() {
    let column = Size { front: 500, depth: 500 };
    let friend = Shape::block(at(1000, 200, 0), column);
    let far = Shape::block(at(1000, -800, 0), column);
    let got = reach(at(1000, 1000, 0), column, Heading::new(180), 1000, &[far, friend]);
    assert_eq!((got.units, got.stopped), (300, Some(1)));
}

#[test]
fn a_place_rounded_upon_a_neighbour_is_not_reached() {
    let (line, neighbour) =
        (Size { front: 1000, depth: 250 }, Shape::block(at(9656, 9122, 332), Size { front: 500, depth: 500 }));
    let (start, way) = (at(9300, 9800, 257), Heading::new(77));
    let obstacles = [neighbour];
    assert_eq!(reach(start, line, way, 1000, &obstacles).units, 1, "free before it is rounded");
    assert_eq!(clear(start, line, way, 1, &obstacles), 0);
}

#[test]
fn a_line_cannot_turn_in_a_lane_that_is_narrower_than_its_diagonal() {
    let line = Size { front: 1000, depth: 250 };
    let wall = Shape::block(at(0, 700, 0), Size { front: 3000, depth: 400 });
    assert_eq!(turn_room(at(0, 0, 0), line, 30, std::slice::from_ref(&wall)), None);
    assert_eq!(turn_room(at(0, 0, 0), line, 90, std::slice::from_ref(&wall)), Some(0));
    assert_eq!(turn_room(at(0, 0, 0), line, -90, &[wall]), Some(0));
}

#[test]
fn ground_is_convex_or_refused_by_name() {
    let spots = |all: &[(i32, i32)]| all.iter().map(|(x, y)| Spot::new(*x, *y)).collect::<Vec<_>>();
    assert!(Shape::ground(&spots(&[(0, 0), (10, 0), (10, 10), (0, 10)])).is_ok());
    assert!(Shape::ground(&spots(&[(0, 0), (0, 10), (10, 10), (10, 0)])).is_ok(), "clockwise too");
    assert_eq!(Shape::ground(&spots(&[(0, 0), (10, 0), (2, 2), (0, 10)])), Err(Flaw::NotConvex));
    assert_eq!(Shape::ground(&spots(&[(0, 0), (10, 10), (10, 0), (0, 10)])), Err(Flaw::NotConvex), "sides cross");
    assert_eq!(Shape::ground(&spots(&[(0, 0), (5, 5), (10, 10)])), Err(Flaw::Flat));
}

#[test]
fn a_side_seen_edge_on_is_seen_up_to_what_the_line_goes_into() {
    let block = |x: i32, y: i32| {
        Shape::block(Stand { at: Spot::new(x, y).fine(), heading: Heading::NORTH }, Size { front: 500, depth: 500 })
    };
    let eye = Spot::new(2001, 1750).fine();
    // The eye stands on the line of the target's southern border; what stands before it has the same border.
    let (target, beside) = (block(0, 2000), block(250, 2000));
    assert!(sees(eye, &target, std::slice::from_ref(&beside)));
    // A little farther south it goes into the other.
    assert!(!sees(eye, &target, &[block(250, 1999)]));
    assert!(sees(eye, &target, &[block(1000, 2000)]));
    assert!(!sees(eye, &target, &[block(1000, 2000), block(1000, 1500), block(1200, 1740)]));
}

#[test]
fn a_wood_hides_what_is_behind_it_and_not_what_stands_at_its_border() {
    let wood = Shape::ground(&[Spot::new(500, 0), Spot::new(1000, 0), Spot::new(1000, 1000), Spot::new(500, 1000)]);
    let wood = wood.expect("a square is convex");
    let line = Size { front: 600, depth: 250 };
    let eye = Spot::new(0, 500).fine();
    let behind = Shape::block(at(1400, 500, 270), line);
    let border = Shape::block(at(625, 500, 270), line);
    let beside = Shape::block(at(1400, 1600, 270), Size { front: 1300, depth: 250 });
    assert!(!sees(eye, &behind, std::slice::from_ref(&wood)));
    assert!(sees(eye, &border, std::slice::from_ref(&wood)));
    assert!(sees(eye, &beside, std::slice::from_ref(&wood)), "a part of it is enough");
}

#[test]
fn the_far_ends_of_the_plane_do_not_overflow() {
    let far = |x, y, h| Shape::block(at(x, y, h), Size { front: i32::MAX, depth: i32::MAX });
    let (a, b) = (far(i32::MIN, i32::MIN, 45), far(i32::MAX, i32::MAX, 45));
    let cone = Shape::cone(at(i32::MAX, i32::MIN, 315), i32::MAX, i32::MAX);
    assert!(!a.overlaps(&b) && a.gap(&b).units() > 90_000);
    assert!(a.gap(&b) > a.gap(&a));
    assert!(sees(Spot::new(i32::MIN, i32::MAX).fine(), &a, &[b.clone(), cone.clone()]));
    assert!(!a.gap(&cone).within(1000) && a.gap(&b).cmp(&cone.gap(&b)).is_gt());
}
