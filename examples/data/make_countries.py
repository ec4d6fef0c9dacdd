#!/usr/bin/env python3
"""Writes countries.tsv, the facts about countries that the examples use, to the file named on the command line
(default: countries.tsv beside this script).

Codes, common names, currency and language names, most capitals and most calling codes are read from the data files of
the Debian packages iso-codes and miscfiles. What they do not hold, or hold out of date, stands below.
"""

import gzip
import json
import pathlib
import re
import subprocess
import sys
import unicodedata

ISO = pathlib.Path("/usr/share/iso-codes/json")
MISC = pathlib.Path("/usr/share/misc")
AS_OF = "January 2026"

# ---------------------------------------------------------------------------------------------------------------------
# Written by hand: the 193 members of the United Nations, its two observers (PS, VA), and Taiwan.
#
# One country a line: its alpha-2 code, the ISO 4217 code of its currency, the ISO 639-3 code of its main language, and
# the alpha-2 code of the largest country (by area) that it shares a land border with. A dash leaves the fact unknown.
#   continent  by the regions of the UN's M49 standard, its Americas parted into North (with Central America and the
#              Caribbean) and South
#   language   the one of its official or in practice official languages that most people use; unknown where no such
#              language stands out, or where laws of late have changed the matter
#   neighbour  by the borders of the country itself, its dependencies and overseas territories aside; unknown without a
#              land border, and where it hangs on how one counts: FR (is French Guiana counted?), SE (is Svalbard
#              counted to Norway?), NG and TZ (borders with Chad and with the Congo run through lakes only)
# ---------------------------------------------------------------------------------------------------------------------
BY_HAND = {
    "Africa": """
        AO AOA por CD
        BF XOF -   NE
        BI BIF run CD
        BJ XOF fra NE
        BW BWP eng ZA
        CD CDF fra AO
        CF XAF sag CD
        CG XAF fra CD
        CI XOF fra ML
        CM XAF fra TD
        CV CVE por -
        DJ DJF -   ET
        DZ DZD ara LY
        EG EGP ara SD
        ER ERN -   SD
        ET ETB amh SD
        GA XAF fra CM
        GH GHS eng CI
        GM GMD eng SN
        GN GNF fra ML
        GQ XAF spa CM
        GW XOF por GN
        KE KES swa ET
        KM KMF =Comorian -
        LR LRD eng CI
        LS LSL sot ZA
        LY LYD ara DZ
        MA MAD ara DZ
        MG MGA mlg -
        ML XOF -   DZ
        MR MRU ara DZ
        MU MUR -   -
        MW MWK eng TZ
        MZ MZN por ZA
        NA NAD eng AO
        NE XOF -   DZ
        NG NGN eng -
        RW RWF kin CD
        SC SCR crs -
        SD SDG ara LY
        SL SLE eng GN
        SN XOF fra ML
        SO SOS som ET
        SS SSP eng CD
        ST STN por -
        SZ SZL ssw ZA
        TD XAF -   SD
        TG XOF fra BF
        TN TND ara DZ
        TZ TZS swa -
        UG UGX eng CD
        ZA ZAR -   NA
        ZM ZMW eng CD
        ZW ZWG -   ZA
    """,
    "Asia": """
        AE AED ara SA
        AF AFN -   CN
        AM AMD hye IR
        AZ AZN aze RU
        BD BDT ben IN
        BH BHD ara -
        BN BND msa MY
        BT BTN dzo CN
        CN CNY zho RU
        CY EUR ell -
        GE GEL kat RU
        ID IDR ind PG
        IL ILS heb EG
        IN INR hin CN
        IQ IQD ara SA
        IR IRR fas PK
        JO JOD ara SA
        JP JPY jpn -
        KG KGS kir CN
        KH KHR khm TH
        KP KPW kor RU
        KR KRW kor KP
        KW KWD ara SA
        KZ KZT kaz RU
        LA LAK lao CN
        LB LBP ara SY
        LK LKR sin -
        MM MMK mya CN
        MN MNT mon RU
        MV MVR div -
        MY MYR msa ID
        NP NPR nep CN
        OM OMR ara SA
        PH PHP fil -
        PK PKR urd CN
        PS -   ara EG
        QA QAR ara SA
        SA SAR ara YE
        SG SGD eng -
        SY SYP ara TR
        TH THB tha MM
        TJ TJS tgk CN
        TL USD tet ID
        TM TMT tuk KZ
        TR TRY tur IR
        TW TWD zho -
        UZ UZS uzb KZ
        VN VND vie CN
        YE YER ara SA
    """,
    "Europe": """
        AD EUR cat FR
        AL ALL sqi GR
        AT EUR deu DE
        BA BAM bos RS
        BE EUR nld FR
        BG EUR bul TR
        BY BYN -   RU
        CH CHF deu FR
        CZ CZK ces DE
        DE EUR deu FR
        DK DKK dan DE
        EE EUR est RU
        ES EUR spa FR
        FI EUR fin RU
        FR EUR fra -
        GB GBP eng IE
        GR EUR ell TR
        HR EUR hrv HU
        HU HUF hun UA
        IE EUR eng GB
        IS ISK isl -
        IT EUR ita FR
        LI CHF deu AT
        LT EUR lit RU
        LU EUR ltz FR
        LV EUR lav RU
        MC EUR fra FR
        MD MDL ron UA
        ME EUR cnr RS
        MK MKD mkd GR
        MT EUR mlt -
        NL EUR nld DE
        NO NOK nor RU
        PL PLN pol RU
        PT EUR por ES
        RO RON ron UA
        RS RSD srp RO
        RU RUB rus CN
        SE SEK swe -
        SI EUR slv IT
        SK EUR slk UA
        SM EUR ita IT
        UA UAH ukr RU
        VA EUR ita IT
    """,
    "North America": """
        AG XCD eng -
        BB BBD eng -
        BS BSD eng -
        BZ BZD eng MX
        CA CAD eng US
        CR CRC spa NI
        CU CUP spa -
        DM XCD eng -
        DO DOP spa HT
        GD XCD eng -
        GT GTQ spa MX
        HN HNL spa NI
        HT HTG hat DO
        JM JMD eng -
        KN XCD eng -
        LC XCD eng -
        MX MXN spa US
        NI NIO spa HN
        PA PAB spa CO
        SV USD spa HN
        TT TTD eng -
        US USD eng CA
        VC XCD eng -
    """,
    "South America": """
        AR ARS spa BR
        BO BOB spa BR
        BR BRL por AR
        CL CLP spa AR
        CO COP spa BR
        EC USD spa PE
        GY GYD eng BR
        PE PEN spa BR
        PY PYG -   BR
        SR SRD nld BR
        UY UYU spa BR
        VE VES spa BR
    """,
    "Oceania": """
        AU AUD eng -
        FJ FJD eng -
        FM USD eng -
        KI AUD gil -
        MH USD mah -
        NR AUD nau -
        NZ NZD eng -
        PG PGK tpi ID
        PW USD pau -
        SB SBD eng -
        TO TOP ton -
        TV AUD tvl -
        VU VUV bis -
        WS WST smo -
    """,
}

# The usual English names, where iso-codes has a formal one and no common name.
NAMES = {
    "BN": "Brunei",
    "CD": "Democratic Republic of the Congo",
    "CG": "Republic of the Congo",
    "FM": "Micronesia",
    "PS": "Palestine",
    "RU": "Russia",
    "ST": "São Tomé and Príncipe",
    "VA": "Vatican City",
}

# Capitals that miscfiles lacks, has under another name or with remarks, or that have moved. Of several capitals: the
# one that the constitution names, or else that of the executive; LK: that of the legislature, which is the official
# one. Unknown: IL and PS (disputed), NR (has none).
CAPITALS = {
    "BI": "Gitega",
    "BJ": "Porto-Novo",
    "BO": "Sucre",
    "BR": "Brasília",
    "CI": "Yamoussoukro",
    "CO": "Bogotá",
    "GE": "Tbilisi",
    "GQ": "Ciudad de la Paz",  # by the decree of 2 January 2026; Malabo before
    "GT": "Guatemala City",
    "IL": "",
    "JO": "Amman",
    "KI": "South Tarawa",
    "KW": "Kuwait City",
    "LK": "Sri Jayawardenepura Kotte",
    "ME": "Podgorica",
    "MM": "Naypyidaw",
    "MX": "Mexico City",
    "MY": "Kuala Lumpur",
    "NL": "Amsterdam",
    "PA": "Panama City",
    "PS": "",
    "PW": "Ngerulmud",
    "RS": "Belgrade",
    "SS": "Juba",
    "SZ": "Mbabane",
    "TG": "Lomé",
    "TT": "Port of Spain",
    "TV": "Funafuti",
    "UA": "Kyiv",
    "US": "Washington, D.C.",
    "ZA": "Pretoria",
}

# Calling codes that miscfiles lacks or has for several countries together.
CALLING_CODES = {
    **dict.fromkeys("AG BB BS CA DM DO GD JM KN LC TT US VC".split(), "1"),  # the North American Numbering Plan
    "KM": "269",
    "KZ": "7",
    "ME": "382",
    "RS": "381",
    "RU": "7",
    "SS": "211",
    "VA": "39",
}

# Currency names that iso-codes lacks, or has in an unusual form.
CURRENCIES = {
    "CRC": "Costa Rican Colón",
    "ILS": "New Israeli Shekel",
    "ISK": "Icelandic Króna",
    "KRW": "South Korean Won",
    "MKD": "Macedonian Denar",
    "NIO": "Nicaraguan Córdoba",
    "OMR": "Omani Rial",
    "SRD": "Surinamese Dollar",
    "TMT": "Turkmenistan Manat",
    "TOP": "Pa'anga",
    "UYU": "Uruguayan Peso",
    "VES": "Venezuelan Bolívar",
    "ZWG": "Zimbabwe Gold",
}

# The usual English names, where iso-codes has another.
LANGUAGES = {
    "crs": "Seychellois Creole",
    "div": "Dhivehi",
    "ell": "Greek",
    "hat": "Haitian Creole",
    "kir": "Kyrgyz",
    "nau": "Nauruan",
    "run": "Kirundi",
    "sot": "Sesotho",
    "ssw": "Swazi",
    "ton": "Tongan",
    "tvl": "Tuvaluan",
}

DOMAINS = {"GB": ".uk"}
# ---------------------------------------------------------------------------------------------------------------------

RELATIONS = ["alpha-2 code", "alpha-3 code", "numeric code", "capital", "currency", "currency code", "continent",
             "language", "calling code", "internet domain", "largest neighbour"]


def iso(standard):
    return json.loads((ISO / f"iso_{standard}.json").read_text(encoding="utf-8"))[standard]


def misc(name):
    """The fields of each line of a file of miscfiles, comments aside."""
    with gzip.open(MISC / f"{name}.gz", "rt", encoding="utf-8") as lines:
        return [line.rstrip("\n").split(":") for line in lines if line.strip() and not line.startswith("#")]


def version(package):
    return subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], check=True, capture_output=True,
                          text=True).stdout


def rows():
    countries = {c["alpha_2"]: c for c in iso("3166-1")}
    currencies = {c["alpha_3"]: c["name"] for c in iso("4217")} | CURRENCIES
    languages = {l["alpha_3"]: re.sub(r" \(.*\)", "", l["name"]) for l in iso("639-3")} | LANGUAGES
    misc_countries = [line for line in misc("countries") if line[1]]
    capitals = {alpha_2: capital for _, alpha_2, _, _, capital in misc_countries} | CAPITALS
    misc_codes = {alpha_2: name for _, alpha_2, _, name, _ in misc_countries}
    callings = {name: code for code, name in misc("inter.phone")}
    domains = {domain for domain, kind, *_ in misc("top-level.domains") if kind == "country-code"}
    domains |= {"ME", "SS"}  # delegated since

    def name(alpha_2):
        country = countries[alpha_2]
        return NAMES.get(alpha_2) or country.get("common_name") or country["name"]

    for continent, lines in BY_HAND.items():
        for line in lines.strip().splitlines():
            code, currency, language, neighbour = line.split()
            calling = CALLING_CODES.get(code) or callings[misc_codes[code]]
            domain = DOMAINS.get(code) or "." + code.lower()
            assert domain[1:].upper() in domains, domain
            yield [
                name(code),
                code,
                countries[code]["alpha_3"],
                countries[code]["numeric"],
                capitals[code],
                "" if currency == "-" else currencies[currency],
                "" if currency == "-" else currency,
                continent,
                "" if language == "-" else language[1:] if language[0] == "=" else languages[language],
                "+" + calling,
                domain,
                "" if neighbour == "-" else name(neighbour),
            ]


def alphabetical(row):
    return unicodedata.normalize("NFD", row[0]).encode("ascii", "ignore").lower()


def main():
    out = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).with_name("countries.tsv")
    lines = [
        f"# Facts about countries as of {AS_OF}, written by make_countries.py. Empty: unknown, none or disputed.",
        "# From the data files of Debian's packages:",
        f"#   iso-codes {version('iso-codes')}: ISO 3166-1 codes and names, ISO 4217 and 639-3 names",
        f"#   miscfiles {version('miscfiles')}: capitals and calling codes, where they are not out of date",
        "# By hand: continent (UN M49 regions), which currency, which (main official) language, largest neighbour",
        "#   (by area, of those with a common land border), and the corrections that make_countries.py lists.",
        "\t".join(["country", *RELATIONS]),
        *("\t".join(row) for row in sorted(rows(), key=alphabetical)),
    ]
    text = "\n".join(lines) + "\n"
    assert text == unicodedata.normalize("NFC", text)
    out.write_bytes(text.encode("utf-8"))


if __name__ == "__main__":
    main()
