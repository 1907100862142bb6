//! The scripts of the demonstration: the teaching game, as two people might write it.

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
