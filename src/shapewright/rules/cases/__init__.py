"""Scripts for each rule, one file a rule, named as the rule: `FAULTY` holds `(script, line of the finding)`, `SOUND`
scripts on which it is silent."""


def filled(script: str, **parts: str) -> str:
    """A script with each `{name}` replaced; its other braces stay.

    >>> filled("x = {value}; y = {}", value="1")
    'x = 1; y = {}'
    """
    for name, part in parts.items():
        script = script.replace(f"{{{name}}}", part)
    return script
