"""The glossary in every language: the same terms, in the words that its pages use."""

import re

from each import each

from animations.phrases import phrases, read
from animations.phrases.terms import glossary
from animations.player.pack.touch_data import OWN_TERMS, terms_data
from collectives import ROWS
from collectives.choices import LANGUAGES
from collectives.glossary import TERMS, definitions, spellings, terms_in

OTHERS = [language for language in LANGUAGES if language != "en"]


def uses(language):
    return {use: term for term, entry in glossary(language).items() for use in entry.uses}


def test_english_terms_are_those_of_the_library():
    known = glossary("en")
    assert {term: entry.meaning for term, entry in known.items()} == definitions()
    assert uses("en") == spellings()


@each("language", OTHERS)
def test_each_term_has_a_definition_in_each_language(language):
    assert read(language, "terms").keys() == TERMS.keys()
    known = glossary(language)
    assert known.keys() == definitions().keys()
    for term, (meaning, *_) in known.items():
        assert meaning != definitions()[term] and meaning[-1] in ".。", term
        assert re.findall(r"\d+", meaning) == re.findall(r"\d+", definitions()[term]), term
        assert not re.search(r"\b(the|of|ranks|and)\b", meaning), meaning


@each("language", OTHERS)
def test_no_two_terms_of_a_language_share_a_spelling(language):
    every = [use for entry in glossary(language).values() for use in entry.uses]
    assert len(every) == len(set(every))


@each("language", OTHERS)
def test_terms_are_called_as_pictures_call_them(language):
    say = phrases(language)
    for noun in TERMS.keys() & say.nouns.keys():
        assert {noun} == {*terms_in([say.noun(noun)], uses(language)).values()}, noun
    for row in ROWS:
        name = say.collective(row.promise.title)
        assert row.promise.title in terms_in([name], uses(language)).values()


@each("language", OTHERS)
def test_captions_speak_in_terms(language):
    captions = phrases(language).translated["captions"].items()
    known = uses(language)
    assert not [own for text, own in captions if terms_in([text]) and not terms_in([own], known)]


def test_terms_are_whole_words_where_a_language_has_blanks():
    assert terms_in(["los rangos y el conmutador"], uses("es")) == {
        "rangos": "rank",
        "conmutador": "switch",
    }
    assert not terms_in(["arrangos, enlazado, pasó"], uses("es"))
    chinese = terms_in(["rank 0 把分块 2 加到 rank 1：全归约（all-reduce）"], uses("zh"))
    assert [*chinese.values()] == ["rank", "chunk", "all-reduce", "all-reduce"]


@each("language", LANGUAGES)
def test_a_page_packs_the_terms_of_its_sentences(language):
    told = terms_data([], language)
    assert len(told) == len(OWN_TERMS)
    for (meaning, word, *others), term in zip(told, OWN_TERMS, strict=True):
        assert (meaning, word, (*others,)) == glossary(language)[term]
