"""Scripts for each rule, one file a rule, named as the rule: `FAULTY` holds `(script, line of the finding)`, `SOUND`
scripts on which it is silent."""
