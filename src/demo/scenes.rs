//! The scripts of the demonstration: the teaching game and a turn in the fog, as two people might write them.

use super::Scene;

/// The French player.
pub fn french() -> Vec<Scene> {
    vec![
        Scene {
            when: &["SIGNON"],
            says: "SIGNON\nNONCE Vive l'Empereur\nVEDETTE PLACE WITH MC1 1\nVEDETTE PLACE WITH Gazan 1\nEND\n",
        },
        Scene {
            when: &["turn 1 of 3", "your movement"],
            says: "# Lannes first: the post road, and drive away what stands there.\n\
                   CHECK\nFORCE Lannes COMMAND MARCH ROAD TO Auhof\n",
        },
        Scene {
            when: &["turn 1 of 3", "CHECK"],
            says: "FORCE Lannes COMMAND MARCH ROAD TO Auhof\n\
                   VEDETTE 1 MARCH 0405 0505 0605 IF CONTACT REPULSE ELSE STOP\n\
                   FORCE Gazan INITIATIVE MARCH 0407 0508\n\
                   force murat gallop to hollabrun\nEND\n",
        },
    ]
}

/// The Coalition player.
pub fn coalition() -> Vec<Scene> {
    vec![Scene {
        when: &["SIGNON"],
        says: "SIGNON\nNONCE Gott erhalte Franz\nVEDETTE PLACE WITH Bagration 1\nVEDETTE PLACE WITH MC1 1\nEND\n",
    }]
}

/// The French player of Austerlitz, in the first fog turn.
pub fn french_in_fog() -> Vec<Scene> {
    vec![
        Scene { when: &["SIGNON"], says: "SIGNON\nNONCE Soleil d'Austerlitz\n" },
        Scene {
            when: &["sealed sheet of both sides"],
            says: "# Soult behind Puntowitz, and something that looks like more of him before Kobelnitz.\n\
                   CHIT 1 = Vandamme/1, Soult, IV foot/1 PLACE 12900,17200\n\
                   CHIT 2 = St Hilaire/1, Margaron, IV horse PLACE 13200,15100\n\
                   CHIT 3 = Vandamme/2, Vandamme/3 PLACE 12500,16200\n\
                   DECOY 4 PLACE 9800,14600\nEND\n",
        },
        Scene {
            when: &["your player-turn"],
            says: "CHECK\nMARCH 1 TOWARD Vinohrady 2UM\nMARCH 2 TOWARD Pratzen 2UM\n",
        },
    ]
}

/// The Allied player of Austerlitz, in the first fog turn.
pub fn allied_in_fog() -> Vec<Scene> {
    vec![
        Scene { when: &["SIGNON"], says: "SIGNON\nNONCE Wischau\n" },
        Scene {
            when: &["sealed sheet of both sides"],
            says: "CHIT 1 = Muller, III/1, Przybyszewski PLACE Pratzenberg\n\
                   CHIT 2 = Repninsky, IV Russian/1 PLACE 20500,15600\nDECOY 3 PLACE 18000,13200\nEND\n",
        },
    ]
}
