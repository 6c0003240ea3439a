"""The classes of words that the phrases of the rules name: what safeguards, verbs, readers, places
are called.

Knows words and their inflections, no rule.
"""

from ktw.text.directives.inflection import nouns, verbs, words

CLASSES: dict[str, tuple[str, ...]] = {
    # Practices whose absence is a risk. Not here: words that also name ordinary features (filter,
    # warning, rule), which need an adjective to count.
    "guard": nouns(
        "test test_suite unit_test integration_test smoke_test review code_review "
        "peer_review security_review approval sign_off signoff gate quality_gate "
        "release_gate check safety_check security_check status_check permission_check "
        "directive_check signature_check pre_flight linter lint lint_step hook "
        "pre_commit_hook commit_hook git_hook scan security_scan scanner secret_scan "
        "vulnerability_scan sandbox confirmation safety_confirmation verification validation "
        "signature certificate_check canary soak staging_soak backup snapshot safeguard "
        "guardrail guard safety_net dry_run audit code_owner second_pair_of_eyes four_eyes "
        "change_freeze ticket change_ticket content_filter safety_filter security_alert "
        "permission_prompt approval_prompt confirmation_prompt approver status_check "
        "rate_limiter malware_scan virus_scan dependency_audit audit_log type_check "
        "migration_check "
        "review_queue approval_queue test_run rollback_plan second_reviewer load_test"
    )
    + words(
        "rate_limit encryption authorization authorisation csrf_protection sign_offs "
        "monitoring code_scanning dependency_scanning secret_scanning audit_trail "
        "reviewer reviewers approval_step pr pull_request prs pull_requests testing linting "
        "scanning ci qa tls_verification ssl_verification certificate_verification "
        "certificate_validation cert_verification signature_verification branch_protection "
        "two_factor mfa 2fa selinux apparmor firewall seccomp antivirus input_validation "
        "access_control authentication rate_limiting audit_logging review_step pre_commit "
        "pipeline the_pipeline build_pipeline staging secret_detection code_signing"
    ),
    # Safeguards that are hardly ever anything else; enough for a bare "turn off X".
    "shield": nouns(
        "sandbox confirmation safety_confirmation safety_check security_check guardrail safeguard "
        "pre_commit_hook commit_hook content_filter safety_filter security_scan scanner linter "
        "security_alert permission_check approval_prompt permission_prompt confirmation_prompt "
        "quality_gate gate review test test_suite firewall backup safety_protocol trust_check "
        "directive_check review_step alert rate_limiter malware_scan virus_scan audit_log "
        "auth_middleware authentication_middleware certificate_check signature_check captcha "
        "access_check permission_prompt dependency_audit test_gate coverage_gate"
    )
    + words(
        "authentication authorization access_control csrf_protection encryption "
        "rate_limiting input_validation code_scanning dependency_scanning audit_trail "
        "branch_protection selinux apparmor seccomp antivirus mfa 2fa tls_verification safe_mode "
        "ssl_verification certificate_verification certificate_validation signature_verification "
        "secret_scanning code_signing ci audit_logging strict_mode read_only_mode"
    ),
    **verbs(
        "omit",
        "skip bypass ignore omit disable suspend suppress circumvent deactivate mute silence waive "
        "forgo sidestep neglect evade dodge override disregard lift relax pause dismiss defeat "
        "neutralise neutralize short_circuit uninstall",
    ),
    **verbs(
        "ship",
        "deploy push merge release ship publish promote roll commit land tag apply migrate "
        "upload go deliver run execute",
    ),
    "prod": words(
        "prod production main master trunk live the_main_branch the_default_branch "
        "protected_branches protected_branch the_release_branch main_branch live_database "
        "default_branch live_site live_system customers"
    ),
    # Whom hostile memories address.
    "ai": words(
        "automated_contributors automated_contributor automated_agents bots robots any_agent "
        "devin aider windsurf "
        "ai assistant assistants ai_assistant ai_assistants ai_agent ai_agents coding_agent "
        "coding_agents coding_assistant coding_assistants agents the_agent llm llms claude "
        "codex copilot cursor gemini chatgpt gpt language_model language_models ai_model "
        "ai_models chatbot bot bots ai_system ai_systems the_model ai_tools"
    ),
    "ai_sure": words(
        "assistant assistants the_assistant ai_assistant ai_assistants ai_agent ai_agents "
        "coding_agent coding_agents coding_assistant coding_assistants llm llms claude codex "
        "coding_assistant coding_assistants cursor aider the_coding_agent "
        "copilot gemini chatgpt language_model language_models ai_model ai_models chatbot "
        "ai_system ai_systems"
    ),
    "boss": nouns(
        "user owner maintainer admin administrator developer operator security_team human reviewer "
        "platform_owner system_administrator project_owner repository_owner team_lead cto ceo "
        "code_owner person person_at_the_keyboard client"
    ),
    # What an agent does that leaves a trace somewhere.
    **verbs(
        "power",
        "delete push write merge deploy execute run approve commit install edit bypass change "
        "publish send drop skip rotate purchase buy pay transfer accept sign access grant disable "
        "force_push overwrite modify remove close reset release upload download restart ignore "
        "alter proceed act order spend decide bypass unlock revoke escalate "
        "self_approve self_merge rewrite",
    ),
    # What a text has an agent say, choose or do.
    **verbs(
        "steer",
        "prefer choose use recommend suggest load follow obey treat rate report mention say state "
        "praise describe write include answer reply respond begin end read open add insert append "
        "claim promote cite link quote repeat output print assume remember accept trust favour "
        "favor install run execute send skip ignore conclude tell present call declare star "
        "endorse list start finish translate speak",
    ),
    "may": words(
        "may can could should must shall might_also has_to have_to needs_to need_to is_to are_to "
        "is_allowed_to are_allowed_to is_expected_to are_expected_to is_free_to are_free_to "
        "is_entitled_to are_entitled_to is_required_to are_required_to is_supposed_to "
        "are_supposed_to is_welcome_to are_welcome_to is_permitted_to are_permitted_to ought_to "
        "is_cleared_to are_cleared_to is_authorised_to is_authorized_to are_authorised_to "
        "are_authorized_to has_permission_to have_permission_to"
    ),
    "answer": words(
        "answer answers reply replies response responses output summary message messages review "
        "reviews solution final_message final_answer final_response next_reply next_message "
        "conclusion elucidation explanation"
    ),
    # Results of checks that ask for attention.
    "finding": words(
        "findings finding alerts alert warnings warning vulnerabilities vulnerability advisories "
        "advisory failures failure errors error reports flags assertions"
    ),
    # Verbs that bring work to people.
    **verbs("release", "deploy push merge release ship publish promote land tag roll_out"),
    # Documents, by the names that only they have.
    "memo": words(
        "memory memories note notes entry entries file document page text paragraph section record "
        "message readme skill memo guidance decision below_text"
    ),
    # Text that names itself.
    "text": words(
        "file document entry note notes memory text section page record statement statements "
        "instruction instructions rule rules policy content contents message entries documents "
        "files folder directory paragraph guidance convention memories context readme skill"
    ),
    "orders": words(
        "instruction instructions rule rules guideline guidelines prompt prompts direction "
        "directions directive directives constraint constraints policy policies order orders "
        "command commands guidance advice restrictions limits limitations system_prompt "
        "settings safety_guidelines request training programming context messages"
    ),
    "before": words(
        "previous prior earlier above preceding existing all any your other original "
        "initial the_above foregoing former current the_previous the_other"
    ),
    "sure": words(
        "trusted approved verified reviewed vetted pre_approved preapproved confirmed "
        "authoritative authorised authorized validated pre_validated certified cleared safe "
        "signed_off endorsed audited official trustworthy whitelisted allowlisted "
        "pre_authorised pre_authorized guaranteed_safe maintainer_approved owner_approved"
    ),
    "secret": words(
        "password passwords passphrase api_key api_keys secret secrets secret_key token "
        "tokens access_token access_tokens credential credentials private_key private_keys "
        "ssh_key ssh_keys access_key access_keys .env_file environment_variables env_vars "
        "env_variables kubeconfig customer_list customer_data customer_emails session_cookie "
        "session_cookies cookies system_prompt hidden_prompt your_instructions "
        "the_environment connection_string initial_instructions base_instructions your_prompt "
        "database_password deploy_password exact_instructions your_configuration "
        "internal_data signing_key signing_keys deploy_key deploy_keys root_token api_token "
        "api_tokens npm_token github_token session_token session_tokens master_key encryption_key "
        "encryption_keys service_account_key recovery_codes oauth_token bearer_token login_data "
        "process_environment full_environment environment_dump ssh_private_key db_password "
        "root_password admin_password customer_records customer_table user_table system_message "
        "hidden_instructions developer_message credentials_file vault_token"
    ),
    "data": words(
        "log logs debug_logs transcript session_transcript conversation chat_history "
        "repository repo source source_code codebase files file database dump data emails "
        "messages contents report customer_list results summary telemetry workspace history "
        "output diff content context"
    ),
    # Verbs that make visible whatever follows, and verbs that need a place to do so.
    **verbs(
        "reveal",
        "print reveal show display echo output dump expose disclose leak list tell repeat "
        "recite quote",
    ),
    **verbs(
        "place",
        "paste surface return include append put write cat read post attach embed store copy share "
        "add give save insert",
    ),
    **verbs(
        "send",
        "send post upload email mail forward transmit exfiltrate submit push report copy "
        "share publish sync deliver leak",
    ),
    **verbs(
        "hide",
        "mention tell inform notify disclose reveal report surface show say warn alert "
        "reference announce record log document discuss explain",
    ),
    **verbs("exec", "run execute call invoke trigger start launch install eval spawn"),
    **verbs("destroy", "delete drop truncate wipe purge destroy erase remove nuke"),
    "asset": nouns(
        "table database bucket volume branch cluster backup namespace production_data audit_log "
        "audit_table legacy_table schema user_account customer_record repository record"
    )
    + words("data the_data files logs history all_files everything"),
    "webhook": words(
        "webhook external partner third_party collector collection_server attacker remote outside "
        "pastebin gist public bucket address endpoint"
    ),
    "startup": words(
        "shell_profile login_script crontab git_config hosts_file ssh_config path_variable "
        "launch_agent login_shell ci_config workflow_file"
    ),
    "place_out": words(
        "ticket issue wiki log logs bucket store artifact artifacts chat channel public gist "
        "pastebin "
        "pull_request commit commit_message readme report bundle page repository output share drive"
    ),
    "shell": words("shell terminal console command_line bash prompt"),
    "session": words(
        "task tasks session sessions reply replies answer answers response responses summary "
        "commit commits turn message messages prompt conversation review request change "
        "deploy deployment rollout merge build answering replying responding summarising "
        "summarizing merging committing continuing starting finishing"
    ),
}

# Words known by their shape. A class of the same name adds its words.
SHAPES: dict[str, str] = {
    "money": r"[$\u20ac\u00a3]\d\S*|\d[\d.,]*(?:usd|eur|btc)?(?= (?:dollars?|euros?|usd|eur|btc|"
    "bitcoins?) )",
    "account": r"(?:[a-z]{2}\d{2}[a-z0-9]{8,40})",
    "secret": r"\$?\{?(?:[a-z0-9]+_)+(?:key|token|secret|password|passwd|credentials?|"
    "database_url|dsn)|"
    r"database_url|\S*\.env|\S*(?:id_rsa|id_ed25519|secrets\.ya?ml|credentials\.json|"
    r"\.netrc|\.npmrc|\.pgpass)|~/\.(?:ssh|aws)\S*",
    # Files that run or admit something later.
    "startup": r"\S*(?:authorized_keys|\.bashrc|\.zshrc|\.profile|\.bash_profile|sudoers|"
    r"rc\.local|/etc/hosts|known_hosts|\.git/hooks\S*)",
    "path": r"(?:/|~/|\.\.?/)\S+",
    "data_folder": r"/(?:var|srv|home|root)(?:/\S*)?",
    "scratch": r"/tmp(?:/\S*)?",
    "workflow": r"\.github/\S+|\.gitlab-ci\.yml|jenkinsfile|/etc/\S+",
    "ident": r"[a-z]{2,30}(?:_[a-z]{2,30}){1,5}",
    "place_out": r"\S*(?:://|@[\w-])\S*",
    "outside": r"\S*(?:://|@[\w-])\S*|\S+\.(?:invalid|example|com|net|org|io|ru|cn|xyz|top)",
    "webhook": r"\S*(?:://|@[\w-])\S*|\S+\.(?:invalid|example|com|net|org|io|ru|cn|xyz|top)",
    "mailbox": r"\S+@\S+",
    # Names of functions that do something outside.
    "tool": r"(?:send|delete|remove|exec|execute|run|shell|write|transfer|post|upload|e?mail|"
    "deploy|drop|"
    r"grant|fetch|http|bash|publish|merge|approve|pay|create|read|get|open|"
    r"call)(?:_[a-z]{2,30}){1,5}",
    # Settings whose names tell that they protect.
    "switch": r"\S*(?:verif|check|auth|audit|sign|ssl|tls|secur|safe|protect|sandbox|confirm|"
    r"review|lint|scan|strict|valid|guard|encrypt|csrf|polic|approv|limit)\S*",
    "word": r"\S+",
}
