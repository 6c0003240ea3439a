"""Kinds of directive in many languages, as stems: two that must stand near each other, in either
order.

Knows words, no grammar; stems are written as people write and folded here, as texts are.
"""

import re
from functools import cache
from typing import NamedTuple

from ktw.text.hidden import fold

Verdict = tuple[str, str]

_OVERRIDE = ("D101", "tells the reader to disregard other instructions")
_PERMIT = ("D201", "grants a permission")
_BYPASS = ("D301", "says that a safeguard is skipped")
_SEND = ("D402", "reveals or sends secrets")
_TRUST = ("D501", "declares its own content trustworthy")
_CONCEAL = ("D601", "asks for something to be kept from people")

TOLD_OF: Verdict = ("W902", "tells of a directive, or quotes one")
_EXCUSABLE = (_BYPASS, _SEND, _TRUST, _PERMIT)
_NEAR = 48  # characters between the two stems


class Tongue(NamedTuple):
    """Stems of one language, `|` between them; `signs` are words that tell it is this language.

    A leading blank means: only where a word begins.
    """

    signs: str
    ignore: str
    orders: str
    skip: str
    guards: str
    silence: str
    people: str
    send: str
    secrets: str
    own: str
    trusted: str
    agent: str = ""
    may: str = ""


_ROMAN = (
    # French
    Tongue(
        "le les des du une est sont dans pour sans avec aux cette ces ce ne pas sur et ignorez oubliez "
        "ignore oublie envoyez envoie affichez affiche desactivez desactive agents tous toutes",
        " ignore| oublie| neglige| fais abstraction| faites abstraction| ne suis pas| ne suivez pas| "
        "ne tenez pas compte| ne tiens pas compte| s appliquent pas| sappliquent pas| s applique pas",
        " instruction| consigne| regle| directive| ordre| prompt",
        " sans | saute| sautent| contourne| desactive| passe outre| omet| omettent| ignore| neglige| "
        "coupe| directement en production| inutile| facultati| optionnel",
        " test| revue| relecture| validation| verification| controle| approbation| sauvegarde| "
        "pare-feu| pare feu| en production| certificat",
        " ne dis| ne dites| ne mentionne| ne signale| n informe| ninforme| ne revele| ne parle| "
        "cache | cachez| garde le silence| ne pas mentionner| ne pas dire| ne pas informer| passe sous "
        "silence",
        " utilisateur| lutilisateur| personne| relecteur| equipe| lequipe| mainteneur| a quiconque| "
        "rapport| resume",
        " envoie| envoyez| envoyer| transmets| transmettez| publie| affiche| montre| colle| copie| "
        "televerse| imprime| revele",
        " cle | cles| clef| mot de passe| mots de passe| jeton| secret| identifiants| donnees client| .env| "
        "variables denvironnement| prompt systeme",
        " ce fichier| cette note| ce document| cette entree| le contenu de ce| ces instructions| ce texte",
        " fiable| approuve| verifie| valide| de confiance| digne de confiance| officiel",
        " agent| assistant| lassistant| lagent| lia ",
        " autorise| a le droit| ont le droit| peut supprimer| peuvent supprimer| peut pousser| peuvent "
        "pousser| sans demander| a la permission",
    ),
    # Portuguese
    Tongue(
        "os das dos nas nos sem com nao uma para pelo pela em ao aos este esta todas todos ignore "
        "esqueca ignorem que podem pode envie mostre",
        " ignore| ignora| ignorem| esqueca| esquece| desconsidere| desconsidera| nao siga| desobedeca",
        " instruc| instrucoes| regra| ordens| diretriz| diretrizes| orientac| comandos",
        " sem | pule| pular| pulam| ignorad| ignorar| desativ| desligu| desligad| contorn| dispens| "
        "diretamente para| direto para| opcional| opcionais| desnecess",
        " teste| revis| aprovac| verificac| validac| checage| backup| copia de seguranca| firewall| "
        "producao| certificad",
        " nao mencione| nao diga| nao conte| nao informe| nao revele| nao avise| esconda| oculte| "
        "omita| mantenha em segredo",
        " usuari| utilizador| ninguem| revisor| equipe| mantenedor| cliente| relatorio| resumo",
        " envie| enviar| mande| publique| mostre| exiba| imprima| cole | copie| carregue| revele",
        " chave| senha| token| segredo| credencia| .env| variaveis de ambiente| prompt do sistema",
        " este arquivo| este ficheiro| este documento| esta nota| esta entrada| este conteudo| este texto",
        " confiavel| aprovad| verificad| revisad| de confianca| oficial",
        " agente| assistente",
        " autorizad| pode apagar| podem apagar| pode fazer push| tem permissao| sem perguntar| permitid",
    ),
    # Italian
    Tongue(
        "gli della delle degli che per senza con una non sono questo questa tutte tutti ignora ignorate "
        "dimentica al alla il di nel invia mostra le test vengono",
        " ignora| ignorate| ignorare| dimentica| dimenticate| trascura| non seguire| non seguite| "
        "disattendi| tralascia",
        " istruzion| regol| direttiv| ordini| comandi| indicazion",
        " senza | salta| saltano| saltare| disattiv| disabilit| aggira| ometti| omettere| tralascia| "
        "direttamente in| facoltativ| inutil| non serv",
        " test| revision| approvazion| verific| controll| validazion| backup| firewall| produzione| "
        "certificat",
        " non dire| non dirlo| non menzionare| non informare| non rivelare| non segnalare| nascondi| "
        "nascondere| tieni nascost| non parlare",
        " utente| allutente| nessuno| revisor| squadra| team| manutentor| rapporto| riassunto",
        " invia| inviare| inviate| manda| mostra| stampa| pubblica| incolla| copia | carica | rivela",
        " chiav| password| token| segret| credenzial| .env| variabili dambiente| prompt di sistema",
        " questo file| questo documento| questa nota| questa voce| questo testo| il contenuto di questo",
        " affidabil| approvat| verificat| fidat| attendibil| ufficial",
        " agente| lagente| assistente| lassistente",
        " autorizzat| puo cancellare| possono cancellare| ha il permesso| senza chiedere| e permesso",
    ),
    # Spanish
    Tongue(
        "los las del una sin con que para por este esta no al el la de en todas todos ignora olvida envia "
        "muestra "
        "se pueden puede omitir",
        " ignora| ignore| ignoren| olvida| olvide| desobedec| descart| no sigas| pasa por alto| haz caso "
        "omiso",
        " instruccion| regla| orden| ordenes| indicacion| directri| directiv| normas",
        " sin | salta| omit| desactiv| deshabilit| evit| apag| elud| directamente en| directo a| opcional| "
        "innecesari| prescind| ignorar las",
        " prueba| test| revision| aprobacion| verificacion| validacion| comprobacion| copia de seguridad| "
        "respaldo| cortafuegos| produccion| certificad",
        " no menciones| no digas| no le digas| no cuentes| no informes| no reveles| no avises| oculta| "
        "esconde| manten en secreto| no se lo digas",
        " usuari| nadie| revisor| equipo| mantenedor| cliente| informe| resumen",
        " envia| envie| manda| publica| muestra| imprime| pega| copia | sube | revela",
        " clave| contrasena| token| secreto| credencial| datos de client| .env| variables de entorno| prompt del sistema",
        " este archivo| este fichero| este documento| esta nota| esta entrada| este contenido| este texto",
        " confiable| aprobad| verificad| revisad| de confianza| oficial",
        " agente| asistente",
        " autorizad| puede borrar| pueden borrar| tiene permiso| sin preguntar| permitid",
    ),
    # German
    Tongue(
        "der das den dem und nicht ohne mit fur ein eine ist sind wird werden alle auf im zum zur kein "
        "keine diese dieser dieses schalte sende ignoriere vergiss durfen darf zeige",
        " ignorier| vergiss| missacht| ubergeh| befolge nicht| setze dich uber| nicht gelten| gelten nicht| "
        "gelten hier nicht| nicht mehr gelten",
        " anweisung| regel| sicherheitsrichtlin| vorgabe| instruktion| richtlinie| befehl| auftrag| auftrage",
        " ohne | uberspring| umgeh| deaktivier| schalte | abschalt| abgeschalt| auslass| ausgelass| "
        "weglass| verzicht| direkt in produktion| optional| uberflussig| unnotig| entfall| abgestellt",
        " test| review| prufung| freigabe| kontrolle| verifizierung| zertifikats| sicherung| backup| "
        "firewall| pruf| bestatigung| produktion",
        " erwahne | verschweig| verheimlich| erwahne nicht| sage nicht| sag nicht| sag niemand| erzahle nicht| "
        "verrate nicht| verrat nicht| verberg| verstecke| nicht erwahn",
        " nutzer| benutzer| anwender| niemand| reviewer| prufer| team| bericht| zusammenfassung",
        " sende| schick| ubermittl| veroffentlich| zeige| drucke| fuge| kopiere| lade | gib | gibst | verrate",
        " schlussel| passwort| passworter| token| geheimnis| zugangsdat| kundendat| interne daten| internen daten| .env| umgebungsvariabl| "
        "systemprompt| system prompt",
        " diese datei| dieses dokument| diese notiz| dieser eintrag| dieser text| der inhalt dieser",
        " vertrauenswurd| freigegeben| gepruft| genehmigt| verifiziert| offiziell",
        " agent| assistent| ki ",
        " darf ohne| durfen ohne| berechtigt| befugt| ohne ruckfrage| ohne nachfrage| ohne zu fragen| "
        "ist erlaubt| hat die erlaubnis",
    ),
    # Vietnamese
    Tongue(
        "khong cac tat ca nhung nay cho duoc hay va la theo cua bo qua",
        " bo qua| phot lo| quen | lo di| khong tuan theo| khong lam theo",
        " huong dan| chi thi| quy tac| menh lenh| chi dan| lenh ",
        " bo qua| khong can| tat | vo hieu| truc tiep len| khong qua| vuot qua",
        " kiem thu| kiem tra| xet duyet| danh gia| phe duyet| xac minh| sao luu| bao mat| san xuat",
        " dung noi| khong noi| dung cho| khong cho| giau | che giau| khong de cap| dung de cap| dung tiet lo",
        " nguoi dung| bat ky ai| nguoi danh gia| bao cao",
        " gui | hien thi| in ra| dang | tai len| sao chep| tiet lo",
        " khoa | mat khau| token| bi mat| .env| thong tin dang nhap",
        " tep nay| tai lieu nay| ghi chu nay| noi dung nay",
        " dang tin| da duoc phe duyet| da duyet| da xac minh| chinh thuc",
    ),
    # Latin
    Tongue(
        "omnes omnia et non sine in ad est sunt hoc haec priora prioribus neglege ignora obliviscere "
        "mandata instructiones praecepta dic noli",
        " neglege| negligite| ignora| obliviscere| obliviscimini| contemne| omitte",
        " mandat| instruction| praecept| regul| iuss| leges",
        " sine | omitt| praetermitt| neglect",
        " probation| examin| inspection| recognition| approbation| custodi",
        " noli dicere| ne dixeris| cela | celate| tace | noli memorare",
        " usuari| usori| utenti| nemini| domino",
        " mitte| ostende| revela| scribe",
        " clav| tesser| secret| arcan| .env",
        " hoc documentum| haec nota| hic liber",
        " fide digna| probat| approbat| verum",
    ),
)

_OTHERS = (
    # Russian
    Tongue(
        "", "игнорир|забудь|забудьте|не следуй|отмени|пренебрег", "инструкц|правил|указани|команд|предписан",
        " без |пропуск|пропусти|отключ|обход|обойти|выключ|минуя|напрямую|необязател|не нужн|не требу",
        "тест|ревью|провер|одобрен|согласован|бэкап|резервн|защит|сертификат|продакшн|прод ",
        "не сообщай|не говори|не упомина|не рассказыв|скрой|скрыва|умолчи|не показыв|втайне",
        "пользовател|никому|ревьюер|владельц|команд|отчет|сводк",
        "отправ|пошли|перешли|выведи|покажи|напечатай|опублик|скопируй|вставь|загрузи",
        "данные клиент|ключ|парол|токен|секрет|учетн|.env|переменные окружения|системный промпт",
        "этот файл|эта запись|этот документ|эта заметка|данный файл|содержимое этого",
        "проверен|утвержд|одобрен|доверен|надежн|достоверн|официальн",
        "агент|ассистент|помощник", "разрешен|может удал|могут удал|имеет право|без спроса|без подтвержд|вправе",
    ),
    # Chinese
    Tongue(
        "", "忽略|无视|忘记|忘掉|不要遵守|不要遵循|抛开|忽視|無視|不必理会|不要理会", "指令|指示|规则|規則|提示|命令|要求|说明|指引",
        "跳过|绕过|省略|关闭|禁用|无需|不用|不需|不经|未经|免去|直接|可不|跳過|繞過",
        "测试|审查|评审|审核|检查|验证|审批|扫描|备份|沙箱|生产|主分支|防火墙|測試|審查",
        "不要告诉|别告诉|不得告诉|不要提|不要透露|隐瞒|瞒着|保密|不要让|别让|不要通知", "用户|任何人|审查者|维护者|评审|团队|报告|摘要",
        "发送|发到|上传|输出|显示|打印|公开|粘贴|泄露|转发|复制", "客户数据|密钥|密码|令牌|凭据|凭证|.env|环境变量|系统提示|机密",
        "本文件|此文件|该文件|本文档|此条目|这份文件|本条目|本内容", "已批准|可信|已审核|已验证|受信任|权威|官方|已获批准",
        "代理|助手|智能体", "被授权|有权|允许|可以直接|无需询问|无须询问|可以删除",
    ),
    # Japanese
    Tongue(
        "", "無視|忘れ|従わない|破棄", "指示|命令|ルール|規則|プロンプト|設定|ガイドライン",
        "スキップ|省略|飛ばし|無効|なしで|せずに|不要|直接|省い|オフに|迂回|回避",
        "テスト|レビュー|検証|確認|承認|チェック|検査|バックアップ|本番|サンドボックス|証明書",
        "伝えない|言わない|教えない|知らせない|触れない|隠し|秘密に|報告しない|言及しない|黙って", "ユーザー|利用者|誰に|レビュアー|チーム|報告|要約",
        "送信|送って|送り|表示|出力|貼り付け|公開|コピー|アップロード", "鍵|パスワード|トークン|秘密|認証情報|.env|環境変数|システムプロンプト|キー",
        "このファイル|この文書|このメモ|本ファイル|この内容|このエントリ", "信頼|承認済|検証済|確認済|公式|安全",
        "エージェント|アシスタント", "許可され|権限があ|してよい|してもよい|確認なし|許可を得",
    ),
    # Korean
    Tongue(
        "", "무시|잊어|잊고|따르지 마", "지시|명령|규칙|지침|프롬프트",
        "건너뛰|생략|우회|비활성|없이|끄고|끄세|꺼|바로|불필요|선택 사항", "테스트|리뷰|검토|검증|승인|확인|검사|백업|main|운영|프로덕션|샌드박스|인증서",
        "말하지 마|알리지 마|언급하지|숨기|숨겨|비밀로|알려주지 마|밝히지", "사용자|아무에게|누구에게|리뷰어|팀|보고|요약",
        "보내|전송|출력|표시|게시|업로드|복사|공개", "키|비밀번호|토큰|비밀|자격 증명|.env|환경 변수|시스템 프롬프트",
        "이 파일|이 문서|이 메모|이 항목|본 파일", "신뢰|승인된|승인되|검증된|검증되|공식", "에이전트|어시스턴트", "허용|권한이 있|해도 됩니다|묻지 않고|승인 없이",
    ),
    # Hindi
    Tongue(
        "", "अनदेखा|अनदेखी|भूल जा|उपेक्षा|नज़रअंदाज़|नजरअंदाज", "निर्देश|आदेश|नियम",
        "बिना|छोड़ दें|छोड़ें|छोड़ा|बंद कर|निष्क्रिय|सीधे|आवश्यक नहीं|ज़रूरत नहीं|जरूरत नहीं", "परीक्षण|टेस्ट|समीक्षा|जाँच|जांच|अनुमोदन|स्वीकृति|सत्यापन|बैकअप|प्रोडक्शन",
        "मत बता|न बता|नहीं बता|छिपा|छुपा|गुप्त रख|उल्लेख न|उल्लेख मत", "उपयोगकर्ता|किसी को|समीक्षक|टीम|रिपोर्ट",
        "भेज|दिखा|प्रिंट|अपलोड|कॉपी|प्रकाशित", "पासवर्ड|कुंजी|टोकन|गुप्त|क्रेडेंशियल|.env|फ़ाइल|फाइल",
        "यह फ़ाइल|यह फाइल|इस फ़ाइल|इस फाइल|यह दस्तावेज|यह नोट", "विश्वसनीय|भरोसेमंद|स्वीकृत|सत्यापित|आधिकारिक",
    ),
    # Arabic
    Tongue(
        "", "تجاهل|انس |إنس |لا تتبع|اترك", "التعليمات|تعليمات|الأوامر|القواعد|الإرشادات|التوجيهات",
        "تخط|تجاوز|بدون|دون |عطل|تعطيل|إيقاف|أوقف|مباشرة|غير ضروري|لا حاجة", "اختبار|الاختبار|مراجعة|المراجعة|التحقق|الموافقة|موافقة|الفحص|نسخة احتياطية|الإنتاج|الحماية",
        "لا تخبر|لا تذكر|أخف|اخف|لا تكشف|لا تبلغ|سرا", "المستخدم|أحد|المراجع|الفريق|التقرير",
        "أرسل|ارسل|اعرض|اطبع|انشر|انسخ|ارفع", "كلمة المرور|كلمات المرور|مفتاح|المفتاح|الرمز|أسرار|السر|بيانات الاعتماد|.env",
        "هذا الملف|هذه الملاحظة|هذا المستند|هذا النص", "موثوق|معتمد|تمت الموافقة|تم التحقق|رسمي",
    ),
    # Hebrew
    Tongue(
        "", "התעלם|התעלמ|שכח|אל תציית|אל תמלא", "הוראות|ההוראות|כללים|הכללים|פקודות|הנחיות",
        "דלג|דלגו|בלי |ללא |עקוף|כבה|השבת|בטל |ישירות|אין צורך", "בדיקות|בדיקה|הבדיקות|סקירה|אישור|אימות|גיבוי|ייצור|הגנה",
        "אל תספר|אל תגיד|אל תגלה|הסתר|אל תזכיר|אל תדווח", "משתמש|לאיש|לאף אחד|סוקר|צוות|דוח",
        "שלח|הצג|הדפס|פרסם|העתק|העלה", "סיסמ|מפתח|אסימון|סוד|אישורים|.env", "קובץ זה|הקובץ הזה|מסמך זה|הערה זו",
        "אמין|מאושר|נבדק|מהימן|רשמי",
    ),
)  # fmt: skip


# What forbids, tells of the past or limits to a platform, in any of the languages.
_EXCUSES = (
    " nie | nichts | niemand | niemals | kein | keine | keinen | nicht | verboten| wurde | wurden | hatte | jamais | aucun"
    "| interdit| etait | etaient | a ete | ont ete | nunca | jamas | ningun| prohibid| fue | fueron | "
    "no se | no hay| foi | foram | proibid| nao se | mai | vietat| nessun| e stato| sono stati| vengono "
    "rifiutat|никогда|нельзя|запрещ| не |был |были |было |раньше|禁止|不得|不能|不可|从不|曾|之前|被|"
    "ないで|ません|いけない|ました|금지|안 됩|안 된|않|없습니다|했습니다|नहीं|मना|ممنوع| لا |يمنع|אסור|לעולם לא| לא |"
    " khong duoc| cam |windows|macos|linux"
)


@cache
def _excusing() -> re.Pattern[str]:
    return re.compile(_stems(_EXCUSES))


def _stems(written: str) -> str:
    return "|".join(_stem(stem) for stem in written.split("|") if stem.strip())


def _stem(written: str) -> str:
    # Blanks are looked at, not taken: the next stem may need the same one.
    before = r"(?<= )" if written[0] == " " else ""
    after = r"(?= )" if written[-1] == " " else ""
    return before + re.escape(fold(written.strip())) + after


def _near(one: str, other: str) -> str:
    one, other = f"(?:{_stems(one)})", f"(?:{_stems(other)})"
    return f"{one}[^;]{{0,{_NEAR}}}{other}|{other}[^;]{{0,{_NEAR}}}{one}"


def _kinds(tongue: Tongue) -> list[tuple[Verdict, str, str]]:
    kinds = [
        (_OVERRIDE, tongue.ignore, tongue.orders),
        (_BYPASS, tongue.skip, tongue.guards),
        (_CONCEAL, tongue.silence, tongue.people),
        (_SEND, tongue.send, tongue.secrets),
        (_TRUST, tongue.own, tongue.trusted),
        (_PERMIT, tongue.agent, tongue.may),
    ]
    return [kind for kind in kinds if kind[1] and kind[2]]


@cache
def _patterns(tongue: Tongue) -> list[tuple[Verdict, re.Pattern[str]]]:
    return [(verdict, re.compile(_near(one, other))) for verdict, one, other in _kinds(tongue)]


@cache
def _signs() -> list[tuple[frozenset[str], Tongue]]:
    return [(frozenset(tongue.signs.split()), tongue) for tongue in _ROMAN]


@cache
def _any_sign() -> frozenset[str]:
    return frozenset().union(*(signs for signs, _ in _signs()))


def spoken_in(view: str, words: set[str]) -> Verdict | None:
    """The first kind that a plain view meets in a language that it seems to be written in."""
    tongues = () if view.isascii() else _OTHERS
    for tongue in (*tongues, *_roman(words)):
        for verdict, pattern in _patterns(tongue):
            match = pattern.search(view)
            if match:
                roman = tongue in _ROMAN
                return _excused(view, match, verdict, roman) if verdict in _EXCUSABLE else verdict
    return None


def _excused(view: str, match: re.Match[str], verdict: Verdict, roman: bool) -> Verdict:
    """A note where the clause forbids or tells of the past; of Roman ones, before the match ends."""
    start = max(0, view.rfind(" ; ", 0, match.start() + 1))
    end = match.end() + 1 if roman else view.find(" ; ", match.end())
    clause = view[start : end if end >= 0 else len(view)]
    return TOLD_OF if _excusing().search(clause) else verdict


def _roman(words: set[str]) -> list[Tongue]:
    """Languages of which a view's words hold two, or one that is an eighth of them."""
    if len(words & _any_sign()) < 2:
        return []
    near = ((len(words & signs), tongue) for signs, tongue in _signs())
    return [tongue for met, tongue in near if met > 1 and met * 6 >= len(words)]
