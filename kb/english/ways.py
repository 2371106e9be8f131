"""The other ways in which English says a sentence: tables of forms, and what each comes to. `normal` says a sentence in them."""

from __future__ import annotations

import re

from kb.english.idioms import Idiom

BE, MODALS = r"(?:is|are|was|were)", r"(?:may|can|could|must|might|shall)"
# A noun phrase, which is one word of what is matched here, with what may follow it.
ONE = r"(?:(?:a|an|the|my|our|his|its|their|this|that|two|both|any|some) )?(?!(?:is|are|was|were|has|have|had|does|do|may|can|must|if|when|while|that|which|who|,|and|to|be|not) )[^ ,]+"
NOUN = rf"{ONE}(?: (?:in|on|of|at|inside|outside|with|from|and) {ONE})*?"
THERE = r"(?:in|inside|outside|within|on top of|on|adjacent to|next to)"
WISHES = (
    r"(?:would |does |really |both )*(?:want|wants|wanted|wish|wishes|like|likes|intend|intends|plan|plans|hope|hopes|try|tries|tried|(?:am|is|are) (?:trying|about|going|planning)"
    r"|decide|decides|need|needs|choose|chooses)"
)
QUESTION = re.compile(
    rf"(?:may-not|{MODALS}|{BE}|does|do|did|what|which|how|who|where|when|within|by how|at what|on what|in which|on which) "
)


def way(said: str, instead: str) -> Idiom:
    """A way of saying a whole sentence. instead: words and groups as of an idiom, by their names; a | where a sentence ends; the:n, what was
    named in it, once more; who:n, he or else who asks."""
    return Idiom(
        re.compile(said.replace("{n}", NOUN).replace("{be}", BE).replace("{may}", MODALS)), tuple(instead.split())
    )


SINCE = r"(?:given that|now that|seeing that|considering that|even though|even if|although|though|because|since|as long as|if|when|while|whereas|and|but|so|where)"
WAYS = (
    way(r"^(?:if|when|while|once|since|because) (?P<a>(?:it|he|she|they) [^,]+) ,(?: then| so)? (?P<b>(?:{may}|{be}|does|do|what|which|how|who) .+)$", r"\b | \a"),
    way(r"^(?:if|when|while|once|since|because|given that|now that|say|suppose|assuming|let 's say)(?: that)? (?P<a>(?!\w+ing ).+?) ,(?: then| so)? (?P<b>(?:{may}|{be}|does|do|what|which|how|who|would|will) .+)$", r"\a | \b"),
    way(r"^(?P<a>.*?)(?P<n>the_\S+) , which (?P<p>it|he|they) (?P<v>\w+ed)(?P<rest>(?: .*)?)$", r"\a \n | \p \v \n \rest"),
    way(r"^(?:after|once|when|while) (?P<a>\w+ing .+?) , (?P<b>(?:{may}|{be}|does|do|must|what|how) .+)$", r"\b after \a"),
    way(rf"^(?P<a>.+?) ,? ?{SINCE} (?P<b>(?!\w+ing ).+)$", r"\a | \b"),
    way(r"^(?P<a>(?:{may}|{be}|does|do) .+?) ,? ?with (?P<b>{n} (?:in|inside|outside|on|adjacent|next) .+)$", r"\a | there is \b"),
    way(r"^(?:after|once|when|while|upon) (?:being|having been|getting) (?P<so>[^,]+) , (?P<q>{be}|{may}|does|do|must) (?P<n>{n}) (?P<rest>.+)$", r"\n was \so | \q \n \rest"),
    way(rf"^(?P<q>{{be}}) (?P<n>{ONE}) (?P<p>{THERE}) (?P<m>{ONE}) (?P<b>(?:considered |counted as )?{THERE}) it$", r"\n \q \p \m | \q the:n \b the:m"),
    way(rf"^(?P<q>{{be}}) (?P<n>{ONE}) (?P<p>{THERE}) (?P<m>{ONE}) (?P<b>(?:considered |counted as |{THERE} ).+)$", r"\n \q \p \m | \q the:n \b"),
    way(r"^(?P<q>{may}) (?:i|we|you) (?:stash|house|shelter|park|station|cram|squeeze) (?P<n>{n}) (?P<rest>(?:in|inside|at) .+)$", r"\q \n be \rest"),
    way(r"^(?P<m>(?!i |we |he |it |they )[^,]+?) (?:has |have |had )?(?P<v>\w+ed) (?P<n>(?:my|the|our|his)_\S+)$", r"\n is \v by \m"),
    way(r"^do(?:es)? (?P<n>{n}) (?:get|become) (?P<v>\w+ed|hit|shot|broken)(?P<rest>(?: .+)?)$", r"is \n \v \rest"),
    way(r"^do(?:es)? (?P<n>{n}) (?P<v>fire|attack|shoot)(?P<rest>(?: .+)?) as (?P<k>.+)$", r"\n third:v \rest | is this fire \k"),
    way(r"^(?P<n>{n}) (?:already )?(?:garrisons?|occup(?:y|ies)|mans?|holds?) (?P<m>{n})$", r"\n is in \m"),
    way(r"^what (?:score |number )?do(?:es)? (?P<n>{n}) (?:need|have) to roll to (?P<rest>.+)$", r"what score must \n roll to \rest"),
    way(r"^do(?:es)? (?P<n>{n}) die(?P<rest>(?: .+)?)$", r"is \n eliminated \rest"),
    way(r"^i roll(?:ed)? an? (?P<k>\d+) (?:after|when|as|once) (?P<n>{n}) (?P<rest>.+)$", r"\n \rest and i rolled a \k"),
    way(r"^how many (?P<n>\S+) (?:can|may|could) (?:i|we|you) (?:put|fit|cram|squeeze|stuff|pack|have) (?:in|into|inside) (?P<rest>.+)$", r"how many \n can be in \rest"),
    way(r"^i roll(?:ed)? an? (?P<k>\d+) for (?P<n>{n}) (?:after|when|as|once) (?:it|he|they) (?P<rest>.+)$", r"\n \rest and i rolled a \k"),
    way(r"^(?P<q>{may}) (?:i|we|you) use (?P<n>{n}) to (?P<rest>.+)$", r"\q \n \rest"),
    way(r"^(?:is it true|is it correct|is it right|am i right|is he right)(?: in thinking)?(?: that)? (?P<n>{n}) (?P<q>may|can|must|is|are|does) (?P<rest>.+)$", r"\q \n \rest"),
    way(r"^there (?:is|are|'s) (?P<n>{n}) (?P<v>\w+ing) (?P<rest>.+)$", r"\n third:v \rest"),
    way(r"^there (?:is|are|'s) (?P<n>{n}) (?P<rest>(?:\w+ed|in|inside|outside|on|adjacent|with) .+)$", r"\n is \rest"),
    way(r"^(?P<n>{n}) (?:{be}|has been|have been) (?:being )?(?P<v>\w+ed|shot|hit)(?P<at> at| on| upon|)(?P<rest>.*?) by (?P<m>{n})(?P<end>(?: (?:from|with|in|at|during|inside|outside) .+)?)$", r"\m third:v \at \n \rest \end"),
    way(r"^(?P<n>{n}) (?:{be}|has been|have been) (?:being )?(?P<v>\w+ed|shot|hit)(?P<at> at| on| upon|)(?P<rest>.*?) by (?P<m>{n}) (?P<end>.+)$", r"\m third:v \at \n \rest | the:m is \end"),
    way(r"^(?P<n>{n}) (?P<a>.+?) ,? ?and (?:then |now |also )?(?P<b>(?:is|are|was|were|has|have|had|\w+s|\w+ed) .+)$", r"\n \a | the:n \b"),
    way(r"^(?P<n>{n}) (?P<a>(?:is|are|was|were|has|have) .+?) , (?P<b>not .+)$", r"\n \a | the:n is \b"),
    way(r"^(?P<a>.+?) ,? ?(?:and|but|so) (?P<b>(?:there|it|he|they|a|an|the|my|his|its|another|no) .+)$", r"\a | \b"),
    way(r"^(?:i|we)(?: have|)(?: just|) (?:drive|drove|move|moved|march|marched|send|sent|push|pushed|run|ran|rush|rushed|bring|brought) (?P<n>my_\S+) (?P<rest>(?:into|onto|to|in|out|through|over|across|from) .+)$", r"\n moves \rest"),
    way(r"^(?P<q>{may}) {n} (?:push|move|wheel|roll|drag|tow|pull|drive|carry|get|bring) (?P<n>(?:my|his|its|the|a|an|their|our)_\S+) (?P<rest>(?:into|onto|to|in|out|through|over|across|from) .+)$", r"\q \n move \rest"),
    way(r"^(?:would|will) (?P<n>{n}) be (?P<rest>.+)$", r"is \n \rest"),
    way(r"^(?:would|will) (?P<n>{n}) (?P<rest>(?!be ).+)$", r"does \n \rest"),
    way(r"^(?P<a>(?:how|what|which|by how|in which|on which) .+?) (?:would|will) (?P<rest>.+)$", r"\a does \rest"),
    way(r"^(?:is|are) (?P<n>{n}) (?:able|allowed|free|permitted) to (?P<rest>.+)$", r"may \n \rest"),
    way(r"^(?:is|are) (?P<n>{n}) (?:forced|obliged|required|compelled|made) to (?P<rest>.+)$", r"must \n \rest"),
    way(r"^do(?:es)? (?P<n>{n}) (?:have|need) to (?P<rest>.+)$", r"must \n \rest"),
    way(r"^do(?:es)? (?P<n>{n}) get to (?P<rest>.+)$", r"may \n \rest"),
    way(r"^(?:is|are) (?P<n>{n}) (?P<so>\w+ed|hit)(?P<mid>(?: \w+){0,3}?) by (?P<m>.+)$", r"does \m base:so \n \mid"),
    way(r"^(?P<q>{may}) (?P<n>{n}) be (?P<so>\w+ed)(?P<mid>(?: \w+){0,3}?) by (?P<m>.+)$", r"\q \m base:so \n \mid"),
    way(r"^(?P<a>{may} [^,]+) , (?P<b>(?:once|if|when|after|while) [^,]+) , (?P<c>.+)$", r"\a \c \b"),
    way(r"^is it (?:possible|allowed|legal|permitted|permissible|lawful|ok|okay)(?: for (?P<n>{n}))? to (?P<rest>.+)$", r"may who:n \rest"),
    way(r"^is it (?:necessary|required|mandatory|compulsory|obligatory)(?: for (?P<n>{n}))? to (?P<rest>.+)$", r"must who:n \rest"),
    way(r"^(?P<a>(?:an?|the|my|our|no|two)_[^:]+) : (?P<b>(?:{may}|{be}|does|do|must|what|how) .+)$", r"\a | \b"),
    way(r"^how (?P<m>many_m[fp]) to (?P<rest>.+)$", r"how \m does it cost to \rest"),
    way(r"^what (?:is|are) the (?:movement |mf |mp )?cost (?:for|of) (?P<n>{n}) to (?P<rest>.+)$", r"how many mf does it cost \n to \rest"),
    way(r"^(?P<a>.+ (?:spend|pay|need|use|expend)) (?P<v>\w+ing) (?P<rest>.+)$", r"\a to base:v \rest"),
    way(r"^(?:what|which) (?P<a>\S+) do(?:es)? (?P<n>{n}) (?:have|get|receive|enjoy)(?P<rest>(?: (?:against|vs|in|from|when|if) .+)?)$", r"what is the \a of \n \rest"),
    way(r"^(?:what|which|how much) (?P<a>\S+) do(?:es)? (?:i|we|you|they|my_soldiers) (?:have|get|enjoy) (?:in|inside|from) (?P<rest>.+)$", r"what is the \a of \rest"),
    way(r"^how (?:much|many movement points|many points) (?P<rest>does .+)$", r"how many mf \rest"),
)  # fmt: skip
WISH = re.compile(rf"^(?P<n>{NOUN}) (?:{WISHES}) to (?P<rest>.+)$")
# What somebody was told to do, or to want to do, and is asked about without being told again.
TOLD = re.compile(rf"^(?P<n>{NOUN}) (?P<v>[a-z]+s)(?P<rest>(?: .+)?)$")
ANYBODY = r"(?:it|he|they|she|i|we)"
ELLIPSES = tuple(
    (re.compile(said), instead)
    for said, instead in (
        (rf"^(?P<q>may|can|could|must) {ANYBODY}(?: do (?:so|that|this|it))?(?P<rest>(?: .*)?)$", ""),
        (rf"^(?:is|are|am) (?:{ANYBODY}|that|this) (?:allowed|able|permitted|free) to(?: do (?:so|that|this|it))?(?P<rest>(?: .*)?)$", "may"),
        (r"^(?:is|does|would|will) (?:that|this|it|the \w+) (?:be |a )?(?:legal|allowed|ok|okay|possible|permitted|permissible|fine|lawful)(?P<rest>(?: (?:if|when|while) .+)?)$", "may"),
        (r"^is (?:that|this|it) (?:prohibited|forbidden|barred|illegal)(?P<rest>)$", "may-not"),
        (rf"^(?:what|how many (?:mf|mp|movement points|movement factors)) do(?:es)? (?:{ANYBODY}|that|this) (?:cost|pay|spend|need)(?P<rest>)$", "what is the mf cost if"),
    )
)  # fmt: skip
