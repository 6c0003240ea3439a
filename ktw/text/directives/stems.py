"""What the kinds of directive are called in other languages: stems, as people write them, as data.

A leading or trailing blank of a stem is a word boundary. Knows nothing of how they are matched.
"""

from typing import NamedTuple


class Tongue(NamedTuple):
    """Stems of one language, `|` between them; `signs` are words that tell it is this language."""

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


ROMAN = (
    # French
    Tongue(
        signs="le les des du une est sont dans pour sans avec aux cette ces ce ne pas sur et "
        "ignorez oubliez ignore oublie envoyez envoie affichez affiche desactivez "
        "desactive agents tous toutes consignes precedentes precedents anterieures",
        ignore=" ignore| oublie| neglige| fais abstraction| faites abstraction| ne suis pas|"
        " ne suivez pas| ne tenez pas compte| ne tiens pas compte| s appliquent pas|"
        " sappliquent pas| s applique pas",
        orders=" instruction| consigne| regle| directive| ordre| prompt",
        skip=" sans | saute| sautent| contourne| desactive| passe outre| omet| omettent|"
        " ignore| neglige| coupe| directement en production| inutile| facultati|"
        " optionnel",
        guards=" test| revue| relecture| validation| verification| controle| approbation|"
        " sauvegarde| pare-feu| pare feu| en production| certificat",
        silence=" ne dis| ne dites| ne mentionne| ne signale| n informe| ninforme| ne revele|"
        " ne parle| cache | cachez| garde le silence| ne pas mentionner| ne pas dire|"
        " ne pas informer| passe sous silence",
        people=" utilisateur| lutilisateur| personne| relecteur| equipe| lequipe| mainteneur|"
        " a quiconque| rapport| resume",
        send=" envoie| envoyez| envoyer| transmets| transmettez| publie| affiche| montre|"
        " colle| copie| televerse| imprime| revele",
        secrets=" cle | cles| clef| mot de passe| mots de passe| jeton| secret| identifiants|"
        " donnees client| .env| variables denvironnement| prompt systeme",
        own=" ce fichier| cette note| ce document| cette entree| le contenu de ce|"
        " ces instructions| ce texte",
        trusted=" fiable| approuve| verifie| valide| de confiance| digne de confiance| officiel",
        agent=" agent| assistant| lassistant| lagent| lia ",
        may=" autorise| a le droit| ont le droit| peut supprimer| peuvent supprimer|"
        " peut pousser| peuvent pousser| sans demander| a la permission",
    ),
    # Portuguese
    Tongue(
        signs="os das dos nas nos sem com nao uma para pelo pela em ao aos este esta todas "
        "todos ignore esqueca ignorem que podem pode envie mostre ignorar ignora instrucoes regras "
        "anteriores previas testes",
        ignore=" ignore| ignora| ignorem| esqueca| esquece| desconsidere| desconsidera|"
        " nao siga| desobedeca",
        orders=" instruc| instrucoes| regra| ordens| diretriz| diretrizes| orientac| comandos",
        skip=" sem | pule| pular| pulam| ignorad| ignorar| desativ| desligu| desligad|"
        " contorn| dispens| diretamente para| direto para| opcional| opcionais|"
        " desnecess",
        guards=" teste| revis| aprovac| verificac| validac| checage| backup|"
        " copia de seguranca| firewall| producao| certificad",
        silence=" nao mencione| nao diga| nao conte| nao informe| nao revele| nao avise|"
        " esconda| oculte| omita| mantenha em segredo",
        people=" usuari| utilizador| ninguem| revisor| equipe| mantenedor| cliente| relatorio|"
        " resumo",
        send=" envie| enviar| mande| publique| mostre| exiba| imprima| cole | copie|"
        " carregue| revele",
        secrets=" chave| senha| token| segredo| credencia| .env| variaveis de ambiente|"
        " prompt do sistema",
        own=" este arquivo| este ficheiro| este documento| esta nota| esta entrada|"
        " este conteudo| este texto",
        trusted=" confiavel| aprovad| verificad| revisad| de confianca| oficial",
        agent=" agente| assistente",
        may=" autorizad| pode apagar| podem apagar| pode fazer push| tem permissao|"
        " sem perguntar| permitid",
    ),
    # Italian
    Tongue(
        signs="gli della delle degli che per senza con una non sono questo questa tutte "
        "tutti ignora ignorate dimentica al alla il di nel invia mostra le test vengono ignorare "
        "istruzioni regole precedenti",
        ignore=" ignora| ignorate| ignorare| dimentica| dimenticate| trascura| non seguire|"
        " non seguite| disattendi| tralascia",
        orders=" istruzion| regol| direttiv| ordini| comandi| indicazion",
        skip=" senza | salta| saltano| saltare| disattiv| disabilit| aggira| ometti|"
        " omettere| tralascia| direttamente in| facoltativ| inutil| non serv",
        guards=" test| revision| approvazion| verific| controll| validazion| backup| firewall|"
        " produzione| certificat",
        silence=" non dire| non dirlo| non menzionare| non informare| non rivelare|"
        " non segnalare| nascondi| nascondere| tieni nascost| non parlare",
        people=" utente| allutente| nessuno| revisor| squadra| team| manutentor| rapporto|"
        " riassunto",
        send=" invia| inviare| inviate| manda| mostra| stampa| pubblica| incolla| copia |"
        " carica | rivela",
        secrets=" chiav| password| token| segret| credenzial| .env| variabili dambiente|"
        " prompt di sistema",
        own=" questo file| questo documento| questa nota| questa voce| questo testo|"
        " il contenuto di questo",
        trusted=" affidabil| approvat| verificat| fidat| attendibil| ufficial",
        agent=" agente| lagente| assistente| lassistente",
        may=" autorizzat| puo cancellare| possono cancellare| ha il permesso|"
        " senza chiedere| e permesso",
    ),
    # Spanish
    Tongue(
        signs="los las del una sin con que para por este esta no al el la de en todas todos "
        "ignora olvida envia muestra se pueden puede omitir ignorar omite reglas "
        "anteriores previas pruebas",
        ignore=" ignora| ignore| ignoren| olvida| olvide| desobedec| descart| no sigas|"
        " pasa por alto| haz caso omiso",
        orders=" instruccion| regla| orden| ordenes| indicacion| directri| directiv| normas",
        skip=" sin | salta| omit| desactiv| deshabilit| evit| apag| elud| directamente en|"
        " directo a| opcional| innecesari| prescind| ignorar las",
        guards=" prueba| test| revision| aprobacion| verificacion| validacion| comprobacion|"
        " copia de seguridad| respaldo| cortafuegos| produccion| certificad",
        silence=" no menciones| no digas| no le digas| no cuentes| no informes| no reveles|"
        " no avises| oculta| esconde| manten en secreto| no se lo digas",
        people=" usuari| nadie| revisor| equipo| mantenedor| cliente| informe| resumen",
        send=" envia| envie| manda| publica| muestra| imprime| pega| copia | sube | revela",
        secrets=" clave| contrasena| token| secreto| credencial| datos de client| .env|"
        " variables de entorno| prompt del sistema",
        own=" este archivo| este fichero| este documento| esta nota| esta entrada|"
        " este contenido| este texto",
        trusted=" confiable| aprobad| verificad| revisad| de confianza| oficial",
        agent=" agente| asistente",
        may=" autorizad| puede borrar| pueden borrar| tiene permiso| sin preguntar| permitid",
    ),
    # German
    Tongue(
        signs="der das den dem und nicht ohne mit fur ein eine ist sind wird werden alle auf "
        "im zum zur kein keine diese dieser dieses schalte sende ignoriere vergiss "
        "durfen darf zeige ignorieren anweisungen regeln vorherige vorherigen bisherige "
        "bisherigen",
        ignore=" ignorier| vergiss| missacht| ubergeh| befolge nicht| setze dich uber|"
        " nicht gelten| gelten nicht| gelten hier nicht| nicht mehr gelten",
        orders=" anweisung| regel| sicherheitsrichtlin| vorgabe| instruktion| richtlinie|"
        " befehl| auftrag| auftrage",
        skip=" ohne | uberspring| umgeh| deaktivier| schalte | abschalt| abgeschalt|"
        " auslass| ausgelass| weglass| verzicht| direkt in produktion| optional|"
        " uberflussig| unnotig| entfall| abgestellt",
        guards=" test| review| prufung| freigabe| kontrolle| verifizierung| zertifikats|"
        " sicherung| backup| firewall| pruf| bestatigung| produktion",
        silence=" erwahne | verschweig| verheimlich| erwahne nicht| sage nicht| sag nicht|"
        " sag niemand| erzahle nicht| verrate nicht| verrat nicht| verberg| verstecke|"
        " nicht erwahn",
        people=" nutzer| benutzer| anwender| niemand| reviewer| prufer| team| bericht|"
        " zusammenfassung",
        send=" sende| schick| ubermittl| veroffentlich| zeige| drucke| fuge| kopiere| lade |"
        " gib | gibst | verrate",
        secrets=" schlussel| passwort| passworter| token| geheimnis| zugangsdat| kundendat|"
        " interne daten| internen daten| .env| umgebungsvariabl| systemprompt|"
        " system prompt",
        own=" diese datei| dieses dokument| diese notiz| dieser eintrag| dieser text|"
        " der inhalt dieser",
        trusted=" vertrauenswurd| freigegeben| gepruft| genehmigt| verifiziert| offiziell",
        agent=" agent| assistent| ki ",
        may=" darf ohne| durfen ohne| berechtigt| befugt| ohne ruckfrage| ohne nachfrage|"
        " ohne zu fragen| ist erlaubt| hat die erlaubnis",
    ),
    # Vietnamese
    Tongue(
        signs="khong cac tat ca nhung nay cho duoc hay va la theo cua bo qua",
        ignore=" bo qua| phot lo| quen | lo di| khong tuan theo| khong lam theo",
        orders=" huong dan| chi thi| quy tac| menh lenh| chi dan| lenh ",
        skip=" bo qua| khong can| tat | vo hieu| truc tiep len| khong qua| vuot qua",
        guards=" kiem thu| kiem tra| xet duyet| danh gia| phe duyet| xac minh| sao luu|"
        " bao mat| san xuat",
        silence=" dung noi| khong noi| dung cho| khong cho| giau | che giau| khong de cap|"
        " dung de cap| dung tiet lo",
        people=" nguoi dung| bat ky ai| nguoi danh gia| bao cao",
        send=" gui | hien thi| in ra| dang | tai len| sao chep| tiet lo",
        secrets=" khoa | mat khau| token| bi mat| .env| thong tin dang nhap",
        own=" tep nay| tai lieu nay| ghi chu nay| noi dung nay",
        trusted=" dang tin| da duoc phe duyet| da duyet| da xac minh| chinh thuc",
    ),
    # Latin
    Tongue(
        signs="omnes omnia et non sine in ad est sunt hoc haec priora prioribus neglege "
        "ignora obliviscere mandata instructiones praecepta dic noli",
        ignore=" neglege| negligite| ignora| obliviscere| obliviscimini| contemne| omitte",
        orders=" mandat| instruction| praecept| regul| iuss| leges",
        skip=" sine | omitt| praetermitt| neglect",
        guards=" probation| examin| inspection| recognition| approbation| custodi",
        silence=" noli dicere| ne dixeris| cela | celate| tace | noli memorare",
        people=" usuari| usori| utenti| nemini| domino",
        send=" mitte| ostende| revela| scribe",
        secrets=" clav| tesser| secret| arcan| .env",
        own=" hoc documentum| haec nota| hic liber",
        trusted=" fide digna| probat| approbat| verum",
    ),
)

# What forbids, tells of the past or limits to a platform, in any of the languages.
EXCUSES = (
    " nie | nichts | niemand | niemals | kein | keine | keinen | nicht | verboten|"
    " wurde | wurden | hatte | jamais | aucun| interdit| etait | etaient | a ete |"
    " ont ete | nunca | jamas | ningun| prohibid| fue | fueron | no se | no hay|"
    " foi | foram | proibid| nao se | mai | vietat| nessun| e stato| sono stati|"
    " vengono rifiutat|никогда|нельзя|запрещ| не |был |были |было |раньше|禁止|"
    "不得|不能|不可|从不|曾|之前|被|ないで|ません|いけない|ました|금지|안 됩|안 된|"
    "않|없습니다|했습니다|नहीं|मना|ممنوع| لا |يمنع|אסור|לעולם לא| לא | khong duoc|"
    " cam |windows|macos|linux"
)
