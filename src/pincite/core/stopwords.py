"""Words that questions are built with and that no passage is about, for the languages met most.

A language's list is used for a question that is written in it: "die" is an article in German and a verb in
English. The language of a question in Latin letters is the one that most of its words are stop words of; the
other scripts tell theirs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from pincite.core.stemming import stem
from pincite.core.text import index_terms

_LISTS = {
    "en": """
    a about all also am an and any anybody are as at be been being but by can could did do does doing done each
    else every few for from get give given go got had has have having he her here him his how i if in into is it
    its just kind let like many may me might more most much must my need needed needs no nor not of off on one
    only or other our out over own please
    rather require required requires said same say says shall she should show so some such tell than
    that the their them then there these they thing this those through to too under up upon us use very want was
    we were what when where whether which while who whom whose why will with within without would yes you your
    dont doesnt cant isnt whats""",
    "de": """
    der die das den dem des ein eine einen einem einer eines und oder aber nicht ist sind war waren wird werden
    wurde wurden worden hat haben hatte hatten kann können könnte muss müssen darf dürfen soll sollen wie was wer
    wen wem wessen wo wann warum weshalb wieso welche welcher welches welchen welchem wieviel viel viele in im an am
    auf aus bei beim mit nach von vom zu zum zur für über unter vor durch gegen ohne um als auch noch nur so sich es
    er sie wir ihr ich man dass daß wenn ob diese dieser dieses diesen diesem jede jeder jedes sein seine seinen
    seiner ihre ihren ihrem gibt etwa worin womit wofür""",
    "fr": """
    le la les un une des du de d l et ou mais ne pas est sont était étaient être été a ont avait avoir peut peuvent
    doit doivent qui que qu quoi quel quelle quels quelles où quand comment pourquoi combien dans en sur sous avec
    par pour sans au aux ce cet cette ces il elle ils elles on nous vous je se sa son ses leur leurs plus très aussi
    y c s n""",
    "es": """
    el la los las un una unos unas de del al y o pero no es son era eran fue fueron ser sido está están ha han había
    hay puede pueden debe deben que qué quien quién quienes cual cuál cuáles cuales donde dónde cuando cuándo como
    cómo cuanto cuánto cuántos cuántas cuánta por para con sin en sobre entre se su sus lo le les este esta estos
    estas ese esa más muy también a e u""",
    "it": """
    il lo la i gli le un uno una di del dello della dei degli delle a al allo alla ai e o ma non è sono era erano
    essere stato ha hanno aveva può possono deve devono che chi cosa quale quali dove quando come perché quanto
    quanti quante in nel nella su sul con per da dal si suo sua loro questo questa""",
    "pt": """
    o a os as um uma de do da dos das e ou mas não é são era eram foi foram ser sido está há pode podem deve devem
    que quem qual quais onde quando como porque quanto quantos quantas em no na nos nas por para com sem sobre se
    seu sua este esta esse""",
    "nl": """
    de het een en of maar niet is zijn was waren wordt worden werd heeft hebben had kan kunnen moet moeten wie wat
    waar wanneer waarom hoe welke welk hoeveel in op aan van met voor door bij naar uit over als ook er dat die dit
    deze te om""",
    "pl": """
    i w we z ze na do od o u po za przez dla bez nad pod przed jest są był była było byli być ma mają może mogą musi
    kto co gdzie kiedy dlaczego jak jaki jaka jakie jakich jakim jakiej który która które których ile czy nie się to
    ten ta te tego tej tych oraz lub ale a""",
    "ro": """
    și sau de la în pe cu din pentru care ce cine unde când cum cât câte câți câtă este sunt era erau au a fost fi un
    o cel cea al ale nu se lui""",
    "tr": """
    bir ve veya ile için de da ki ne kim nerede nereye zaman nasıl neden niçin hangi kaç kadar mi mı mu mü olan
    olarak oldu olduğu vardır var yok bu şu o daha en gibi tarafından nedir kimdir""",
    "vi": """
    là gì của và có những các được trong cho với ở tại từ đến khi nào ai đâu bao nhiêu như thế một này đó đã không
    người nào""",
    "Cyrillic": """
    и в во на с со о об от до из за по под над при для без через у к но или не это этот эта эти тот та то те был была
    было были есть быть является являются что кто где когда куда откуда почему зачем как какой какая какое какие
    каких каким какого какую какими сколько чем чего кого кому чей чья который которая которое которые которых ли же
    бы а он она они его ее их между также""",
    "Greek": """
    ο η το οι τα του της των τον την και ή σε στο στη στην στον στα με από για που ποιος ποια ποιο ποιοι ποιες πόσο
    πόσα πόσοι πόσες πού πότε πώς γιατί είναι ήταν έχει είχε ένα μια ένας να θα δεν τι""",
    "Arabic": """
    في من إلى على عن مع هذا هذه ذلك تلك التي الذي الذين ما ماذا متى أين كيف لماذا كم أي أية هل هو هي هم كان كانت يكون
    تكون و أو لا لم لن قد كل بعض بين عند بعد قبل تم أن إن""",
    "Devanagari": """
    का की के को में से पर और या है हैं था थी थे हो होता होती होते कौन क्या कब कहाँ कहां क्यों कैसे कितना कितने कितनी
    किस किसने किसके किसकी किसका किसे कौनसा कौनसी एक यह वह ये वे इस उस इन उन ने भी तक लिए द्वारा साथ नहीं जो कि तो ही
    गया गयी गई किया कर करने""",
}
_LATIN = tuple(name for name in _LISTS if name.islower())
STOP_WORDS = frozenset(term for word in _LISTS["en"].split() for term in index_terms(word))
"""English, as index terms."""

META_WORDS = frozenset(
    stem(word) for word in ("section", "article", "clause", "chapter", "paragraph", "page", "pages", "cite")
)
"""Words about the document rather than its subject, when a clause number or a page is asked for."""


def stop_words_for(terms: Sequence[str], script: str) -> frozenset[str]:
    """The stop words, as index terms, of the language that a question is written in. Another language in Latin
    letters than English takes two of its words to be believed."""
    if script in _LISTS:
        return _stops(script)
    if script != "Latin":
        return STOP_WORDS
    hits = {name: sum(term in _stops(name) for term in terms) for name in _LATIN}
    best = max(_LATIN, key=lambda name: hits[name])
    return _stops(best) if hits[best] > max(hits["en"], 1) else STOP_WORDS


@cache
def _stops(name: str) -> frozenset[str]:
    return frozenset(term for word in _LISTS[name].split() for term in index_terms(word))


EAST_ASIAN_STOPS = re.compile(
    "什麼樣|什么样|甚麼|什麼|什么|怎麼樣|怎么样|怎麼|怎么|怎樣|怎样|如何|為何|为何|為什麼"
    "|为什么|哪一|哪些|哪個|哪个|哪裡|哪里|哪年|哪|誰|谁|多少|幾個|几个|幾|几|是否|可以|能否"
    "|應該|应该|應為|应为|應|应|算是|以上|以下|最多|最少|至少|多(?=[大高長长寬宽遠远陡久深重])"
    "|請問|请问|請|请|關於|关于|以及|或者|還是|还是|有沒有|有没有|需要|必須|必须|規定|规定|一個"
    "|一个|這個|这个|的|是|了|嗎|吗|呢|在|有|和|與|与|及|或|被|把|於|于|為|为|之|其|也|都|就|會"
    "|会|能|ですか|ますか|でしょうか|とは|どこ|どの|どのような|どれ|なに|なん|何|いつ|なぜ"
    "|いくつ|いくら|である|です|ます|した|して|する|れた|は|が|を|に|の|で|と|も|か|무엇|누구"
    "|어디|언제|얼마|어떤|인가|입니까|합니까"
)
"""Function words and question words of Chinese, Japanese and Korean: they part the words that carry meaning,
and the pairs of characters that straddle them mean nothing."""
