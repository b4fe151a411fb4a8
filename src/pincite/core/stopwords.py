"""Words that questions are built with and that no passage is about."""

from __future__ import annotations

import re

from pincite.core.stemming import stem

_ENGLISH = """
a about all also am an and any anybody are as at be been being but by can could did do does doing done
each else every few for from get give given go got had has have having he her here him his how i if in
into is it its just kind let like many may me might more most much must my need needed needs no nor not
of off on one only or other our out over own please rather said same say says shall she should show so
some such tell than that the their them then there these they thing this those through to too under up
upon us use very want was we were what when where whether which while who whom whose why will with within
without would yes you your dont doesnt cant isnt whats
"""
STOP_WORDS = frozenset(stem(word) for word in _ENGLISH.split())
"""English, as stems."""

META_WORDS = frozenset(
    stem(word) for word in ("section", "article", "clause", "chapter", "paragraph", "page", "pages", "cite")
)
"""Words about the document rather than its subject, when a clause number or a page is asked for."""

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
