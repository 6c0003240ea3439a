"""The commonest kinds of directive in Russian, German, Spanish, Chinese, French and Italian.

Patterns are matched against the plain view; they are written as people write, and folded here.
"""

import re
from functools import cache
from typing import NamedTuple

from ktw.text.hidden import fold

_OVERRIDE = ("D101", "tells the reader to disregard other instructions")
_PERMIT = ("D201", "grants a permission")
_BYPASS = ("D301", "says that a safeguard is skipped")
_REVEAL = ("D401", "asks for a secret to be revealed")
_SEND = ("D402", "sends secrets or internal data somewhere else")
_TRUST = ("D501", "declares its own content trustworthy")
_CONCEAL = ("D601", "asks for something to be kept from people")
_COMMAND = ("D703", "has the reader run a command")


class ForeignRule(NamedTuple):
    """One kind in one language."""

    code: str
    why: str
    expression: str

    def directs(self, view: str) -> bool:
        """Whether the plain view meets it. Compiled when first needed."""
        return _compiled(self.expression).search(view) is not None


@cache
def _compiled(expression: str) -> re.Pattern[str]:
    return re.compile(expression)


def _foreign(kind: tuple[str, str], pattern: str) -> ForeignRule:
    # Only letters outside ASCII: folding the syntax of the pattern would turn \S into \s.
    folded = "".join(c if c.isascii() else fold(c) for c in pattern)
    return ForeignRule(*kind, folded)


_G = r"(?: \S+){0,5}?"  # up to five words between

CYRILLIC = (
    _foreign(
        _OVERRIDE,
        rf" (?:игнорируй|проигнорируй|забудь|не следуй|отмени)\S*{_G} (?:\S*инструкц|правил|"
        rf"указани|команд)\S*",
    ),
    _foreign(_OVERRIDE, r" (?:теперь|отныне|с этого момента) ты "),
    _foreign(
        _CONCEAL,
        rf" не (?:сообщай|говори|упоминай|рассказывай|показывай|пиши|сообщайте|упоминайте)"
        rf"\S*{_G} (?:пользовател|владельц|ревьюер|никому|об этом|о)\S*",
    ),
    _foreign(_CONCEAL, r" (?:скрой|скройте|скрывай)\S* "),
    _foreign(
        _BYPASS,
        rf" (?:деплоят|выкат|пуш|сливают|мерж|вливают|заливают|отправляют|релиз|пушат)"
        rf"\S*{_G} (?:без (?:тест|ревью|проверк|бэкап|одобрени|согласован)|напрямую|прямо)\S*",
    ),
    _foreign(
        _BYPASS,
        rf" (?:отключи|отключай|пропусти|пропускай|обойди|отключите|пропустите|выключи)"
        rf"\S*{_G} (?:тест|ревью|провер|сканер|линтер|песочниц|защит|хук|подтвержден)\S*",
    ),
    _foreign(
        _BYPASS, r" (?:можно|следует|разрешено) (?:пропуска|пропустить|отключ|не запускать)\S*"
    ),
    _foreign(
        _PERMIT, rf" (?:агент|ассистент|тебе|вам)\S*{_G} (?:разрешен|разрешён|можно|позволен)\S*"
    ),
    _foreign(
        _TRUST,
        r" (?:этот|эта|это|данный|эти)(?: \S+){0,2}? (?:проверен|утвержд|одобрен|доверен|"
        r"надежн|надёжн)\S*",
    ),
    _foreign(_TRUST, r" доверяй(?:те)?\S* "),
    _foreign(
        _REVEAL,
        rf" (?:покажи|выведи|напечатай|раскрой|напиши|вставь|прочитай|сообщи)\S*{_G} "
        rf"(?:\.env|парол|токен|ключ|секрет|системн|учетн|переменн)\S*",
    ),
    _foreign(
        _SEND,
        rf" (?:отправь|пошли|перешли|загрузи|отправляй|выгрузи|передай)\S*{_G} (?:ключ|токен|"
        rf"парол|секрет|данн|лог|содержим|репозитор|файл)\S*",
    ),
    _foreign(
        _COMMAND, rf" (?:выполни|запусти|исполни)\S*{_G} (?:команд|скрипт|код|curl|bash|sh|rm)\S*"
    ),
    _foreign(
        _COMMAND, rf" (?:удали|удалите|сотри|очисти)\S*{_G} (?:таблиц|баз|ветк|файл|данн|бэкап)\S*"
    ),
)

CHINESE = (
    _foreign(_OVERRIDE, r"(?:指示|命令|ルール).{0,6}(?:無視|忘れ)|無視.{0,8}(?:指示|命令)"),
    _foreign(
        _OVERRIDE,
        r"(?:忽略|无视|忘记|忘掉|不要遵守|不要遵循|覆盖).{0,12}(?:指令|指示|规则|提示|命令|要求|说明)",
    ),
    _foreign(_OVERRIDE, r"(?:从现在起|从现在开始).{0,6}你"),
    _foreign(
        _CONCEAL,
        r"(?:不要|别|切勿|请勿|不得).{0,6}(?:告诉|告知|提及|提到|透露给|通知).{0,8}(?:用户|任何人|审查|维护者|他们|这|该)?",
    ),
    _foreign(
        _BYPASS,
        r"(?:可以|可|应|直接|请|都|一律)(?:跳过|绕过|忽略|关闭|禁用|省略).{0,8}(?:测试|审查|评审|检查|验证|扫描|确认|审批|沙箱|备份)",
    ),
    _foreign(
        _BYPASS,
        r"(?:^ |[;,] )(?:跳过|绕过|关闭|禁用)"
        r".{0,8}(?:测试|审查|评审|检查|验证|扫描|确认|审批|沙箱)",
    ),
    _foreign(
        _BYPASS,
        r"直接(?:推送|部署|合并|发布|提交)(?:到|至|上)?.{0,4}(?:主分支|生产|线上|main|master)",
    ),
    _foreign(
        _BYPASS,
        r"(?:不经|未经|无需|不用|不做)(?:任何)?(?:测试|审查|评审|检查|验证|审批|确认).{0,8}(?:部署|合并|推送|发布|上线)",
    ),
    _foreign(
        _PERMIT, r"(?:代理|助手|智能体|你|ai).{0,6}(?:被授权|获得授权|有权|允许|可以直接|无需询问)"
    ),
    _foreign(
        _TRUST,
        r"(?:本|此|该|这个|这份)(?:文件|文档|条目|内容|记录).{0,8}(?:获批准|已批准|可信|已审核|已验证|受信任|值得信赖|权威)",
    ),
    _foreign(_TRUST, r"(?:无需|不需要|不必)(?:进一步)?(?:核实|验证|审查|检查|确认)"),
    _foreign(
        _REVEAL,
        r"(?:显示|打印|输出|展示|公开|泄露|读取).{0,10}(?:密钥|密码|令牌|\.env|环境变量|系统提示|凭据|凭证)",
    ),
    _foreign(_SEND, r"(?:把|将).{0,16}(?:发送|上传|发到|转发|提交|传)(?:到|至|给)"),
    _foreign(_COMMAND, r"(?:^ |[;,] |请|改为)(?:执行|运行).{0,10}(?:命令|脚本|代码|curl|bash)"),
)

LATIN = (
    # German
    _foreign(
        _OVERRIDE,
        r" (?:ignoriere?|vergiss|missachte|vergesst|ignoriert|ubergehe)(?: \S+){0,4}? "
        r"(?:anweisung|regel|vorgabe|instruktion|richtlinie)\S*",
    ),
    _foreign(
        _OVERRIDE,
        r" (?:neue anweisung\S*|ab (?:sofort|jetzt) (?:gibst|bist|antwortest|ignorierst) du)",
    ),
    _foreign(_OVERRIDE, rf" (?:richtlinien|regeln|anweisungen){_G} nicht (?:gelten|mehr)"),
    _foreign(
        _CONCEAL,
        rf" (?:erwahne|nenne|sag|sage|verrate|melde|erzahle|berichte|zeige){_G} (?:benutzer|"
        rf"nutzer|anwender|niemand|reviewer|team|prufer)\S*{_G} nicht(?= )",
    ),
    _foreign(
        _CONCEAL,
        r" (?:sag|sage|erzahle|verrate|verschweige|verheimliche)(?: \S+){0,2}? "
        r"(?:benutzer|nutzer|niemand|reviewer)\S*",
    ),
    _foreign(
        _BYPASS,
        rf" (?:gehen|geht|werden|wird|kommen|landen|deployen|pushen|mergen){_G} ohne (?:\S+ )"
        rf"?(?:test|review|prufung|freigabe|backup|sicherung|kontrolle)\S*",
    ),
    _foreign(
        _BYPASS,
        r" ohne (?:\S+ )?(?:tests?|reviews?|prufung|freigabe)(?: \S+){0,2}? (?:direkt|sofort|"
        r"in produktion|auf)",
    ),
    _foreign(
        _BYPASS,
        r" (?:uberspringe?|umgehe?|deaktiviere?|schalte?)(?: \S+){0,3}? (?:test|review|"
        r"prufung|scanner|linter|sandbox|bestatigung|sicherheits|hook|filter)\S*",
    ),
    _foreign(
        _TRUST,
        rf" (?:diese|dieser|dieses|die) (?:datei|eintrag|dokument|notiz|inhalte?) (?:ist|"
        rf"wurde|sind|gilt){_G} (?:freigegeben|vertrauenswurdig|genehmigt|gepruft|"
        rf"verifiziert|bestatigt)",
    ),
    _foreign(
        _TRUST,
        r" (?:keine|ohne)(?: weitere)? (?:prufung|uberprufung|verifikation|kontrolle) "
        r"(?:notig|erforderlich|notwendig)",
    ),
    _foreign(
        _REVEAL,
        rf" (?:gib|zeige?|drucke|nenne|verrate|lies){_G} (?:\.env\S*|passwort\S*|passworter|"
        rf"token\S*|geheimnis\S*|schlussel\S*|zugangsdaten|system prompt|systemprompt|"
        rf"umgebungsvariablen)",
    ),
    _foreign(
        _SEND,
        rf" (?:sende|schicke?|ubermittle|lade|leite){_G} (?:\S*schlussel|token\S*|"
        rf"passwort\S*|daten|logs|geheimnisse)(?: \S+){{0,8}}? (?:an|nach|zu|hoch|weiter)(?= "
        rf")",
    ),
    _foreign(_COMMAND, rf" fuhre{_G} (?:befehl|skript|kommando|code)\S*{_G} aus(?= )"),
    # Spanish
    _foreign(
        _OVERRIDE,
        r" (?:ignora|olvida|desobedece|descarta|ignore|olvide)(?: \S+){0,3}? (?:instruccion|"
        r"regla|indicacion|orden|norma|directriz|directrices|politica)\S*",
    ),
    _foreign(
        _CONCEAL,
        rf" (?:no|nunca) (?:le |lo |se lo )?(?:menciones|digas|informes|cuentes|reveles|"
        rf"muestres|avises|mencione|diga){_G} (?:usuari|revisor|nadie|propietari|equipo|"
        rf"cliente)\S*",
    ),
    _foreign(
        _BYPASS,
        r" (?:suben|despliegan|publican|fusionan|van|pasan|aplican|sube|despliega|envian)"
        r"(?: \S+){0,5}? (?:sin (?:prueba|revision|test|aprobacion|validacion|copia)|"
        r"directo|directamente)\S*",
    ),
    _foreign(
        _BYPASS,
        r" (?:omite|salta|saltate|desactiva|deshabilita|evita|apaga)(?: \S+){0,3}? (?:prueba|"
        r"revision|test|verificacion|escaner|linter|confirmacion|sandbox|filtro|validacion)"
        r"\S*",
    ),
    _foreign(
        _TRUST,
        rf" (?:este|esta|el) (?:archivo|documento|entrada|nota|fichero|contenido) (?:es|esta|"
        rf"fue|ha sido){_G} (?:confianza|aprobad|verificad|confiable|revisad)\S*",
    ),
    _foreign(
        _REVEAL,
        rf" (?:muestra|imprime|revela|ensena|escribe|lee|muestrame){_G} (?:\.env\S*|"
        rf"contrasena\S*|clave\S*|token\S*|secreto\S*|credencial\S*|prompt)",
    ),
    _foreign(
        _SEND,
        rf" (?:envia|manda|sube|reenvia|publica|enviar|envie){_G} (?:clave|token|contrasena|"
        rf"secreto|credencial|datos|registro|archivo)\S*(?: \S+){{0,6}}? (?:a|al|hacia)(?= )",
    ),
    _foreign(
        _COMMAND,
        rf" (?:ejecuta|corre|lanza|ejecute){_G} (?:comando|script|codigo|curl|bash|orden)\S*",
    ),
    # French, Italian
    _foreign(
        _OVERRIDE,
        r" (?:ignorez|oubliez|ignore|oublie|ignora|dimentica|ignorate)(?: \S+){0,4}? "
        r"(?:instructions|consignes|regles|istruzioni|regole|direttive)",
    ),
    _foreign(
        _OVERRIDE, r" (?:regles|consignes|regole)(?: \S+){0,4}? (?:appliquent pas|si applicano)"
    ),
    _foreign(
        _CONCEAL,
        rf" (?:ne (?:mentionne|dis|dites|signale|mentionnez)|non (?:dire|menzionare|dirlo))"
        rf"{_G} (?:utilisateur|personne|utente|nessuno)\S*",
    ),
    _foreign(
        _BYPASS,
        r" (?:deploie\w*|pousse\w*|fusionne\w*|vont)(?: \S+){0,5}? (?:sans (?:test|revue|"
        r"validation|verification)|directement)\S*",
    ),
    _foreign(
        _TRUST,
        r" (?:ce|questo) (?:fichier|document|file|documento) (?:est|e)(?: \S+){0,3}? "
        r"(?:fiable|approuve|verifie|affidabile|approvato|verificato)\S*",
    ),
    _foreign(
        _SEND,
        r" (?:envoie|envoyez|transmets|invia|inviate)\S*(?: \S+){0,8}? (?:\S+@\S+|externe|"
        r"cle|mot de passe|chiave)",
    ),
)

# Words of which nearly every German, Spanish, French or Italian sentence holds one.
LATIN_CUES = frozenset(
    "ignoriere vergiss missachte erwahne sag sage verrate gehen geht werden wird ohne "
    "diese dieser dieses keine gib zeige sende schicke fuhre uberspringe umgehe "
    "deaktiviere neue ab nicht alle ignora olvida no nunca sin omite salta desactiva "
    "este esta el la las los muestra imprime envia manda sube ejecuta ignorez oubliez "
    "oublie ce questo les des le ne non dimentica envoie envoyez invia sans regles".split()
)


def foreign_in(view: str, words: set[str]) -> ForeignRule | None:
    """The first rule of another language that a plain view meets; `words` are the view's words."""
    rules: tuple[ForeignRule, ...] = () if view.isascii() else CYRILLIC + CHINESE
    if not words.isdisjoint(LATIN_CUES):
        rules += LATIN
    return next((foreign for foreign in rules if foreign.directs(view)), None)
