"""Rules are found by their files: one file a fault, named by its slug; scripts lie apart and no check imports them."""

import re
import subprocess
import sys
from pathlib import Path

from shapewright.diagnosis.allow import is_selected
from shapewright.rules import all_rules, cases, find_rule
from shapewright.rules.cause import ORDER, Shared, place_in_order


def test_a_rule_is_where_its_slug_says():
    for rule in all_rules():
        assert Path(rule.module.__file__).stem == rule.slug.replace("-", "_")
        assert not {"slug", "order"} & set(vars(rule.module)), (
            f"{rule.slug}: its file's name and `cause.ORDER` say these"
        )
        assert rule.faulty and rule.sound, f"{rule.slug}: a rule has scripts that have the fault, and sound twins"


def test_codes_slugs_and_aliases_are_unique():
    names = [name for rule in all_rules() for name in (rule.code, *rule.names)]
    assert len(set(names)) == len(names)


def test_every_file_of_scripts_has_a_rule():
    slugs = {rule.slug.replace("-", "_") for rule in all_rules()}
    files = {path.stem for path in Path(cases.__file__).parent.glob("*.py")} - {"__init__"}
    assert files == slugs


def test_an_old_slug_still_names_its_rule():
    rule = find_rule("plateau-mode-turned")
    assert rule is not None and rule.slug == "plateau-mode-inverted"
    assert is_selected(rule.code, rule.names, ("plateau-mode-turned",), ())
    assert not is_selected(rule.code, rule.names, (), ("plateau-mode-turned",))


def test_a_check_imports_no_scripts():
    code = "import sys; from shapewright.rules import all_rules; all_rules(); print([m for m in sys.modules if 'rules.cases' in m])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_a_shared_cause_names_the_rules_that_share_it():
    told = {shared.name: set() for shared in Shared}
    for rule in all_rules():
        for name in re.findall(r"Shared\.([A-Z_]+)", Path(rule.module.__file__).read_text(encoding="utf-8")):
            told[name].add(rule.code)
    assert told == {shared.name: set(shared.value) for shared in Shared}


def test_the_order_names_each_rule_of_a_group_at_most_once_and_the_fallback_speaks_last():
    for group, lines in ORDER.items():
        named = [slug for line in lines for slug in line.split() if slug != "…"]
        assert sorted(named) == sorted({rule.slug for rule in all_rules() if rule.group == group} & set(named))
    assert place_in_order("loud", "operands-rejected") > place_in_order("loud", "device-unknown-to-the-table")
