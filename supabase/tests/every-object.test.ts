// Rules for every table, policy and function of ours. Each query finds the objects that break one.
// Proves ROLE 05 13
import { describe, expect, test } from 'vitest'
import { ownDatabase } from './people.ts'

const { db } = await ownDatabase()
const found = async (sql: string) => (await db.query<{ found: string }>(sql)).map((row) => row.found)

const OURS = `('public', 'private')`
const functions = (condition: string) => `select p.oid::regprocedure::text as found
  from pg_proc as p join pg_namespace as n on n.oid = p.pronamespace
  where n.nspname in ${OURS} and (${condition}) order by 1`
/** `body` is the whole condition of a policy. */
const policies = (condition: string) => `select tablename || ': ' || policyname as found
  from (select *, coalesce(qual, '') || ' ' || coalesce(with_check, '') as body from pg_policies) as p
  where schemaname in ${OURS} and (${condition}) order by 1`
const tables = (condition: string) => `select c.oid::regclass::text as found
  from pg_class as c join pg_roles as r on r.oid = c.relowner
  where c.relnamespace::regnamespace::text in ${OURS} and c.relkind in ('r', 'p') and (${condition})`
const IS_SHOWN = `exists (select from pg_depend as d join pg_rewrite as r on r.oid = d.objid
  join pg_class as v on v.oid = r.ev_class
  where d.refobjid = c.oid and v.relkind = 'v' and v.relnamespace = 'public'::regnamespace)`
const foreignKeys = (condition: string) => `select k.conrelid::regclass || ' ' || k.conname as found
  from pg_constraint as k join pg_class as target on target.oid = k.confrelid
  where k.contype = 'f' and k.connamespace::regnamespace::text in ${OURS} and (${condition})`

const WHO = String.raw`\(\s*select\s+auth\.(uid|jwt|role|email)\(\)`
const HAS_POLICY = 'exists (select from pg_policy as p where p.polrelid = c.oid)'
/** The functions used by policies, triggers and each request. */
const ASKED = `(select string_agg(body, ' ') from (
  select concat(qual, with_check) as body from pg_policies
  union all select prosrc from pg_proc where prorettype = 'trigger'::regtype or proname = 'check_request') as asking)`
const PINNED = `coalesce(p.proconfig @> array['search_path=""'], false)`
const TAKES_ROWS = `exists (select from unnest(p.proargtypes) as argument join pg_type as t on t.oid = argument
  join pg_class as c on c.oid = t.typrelid where c.relkind in ('r', 'p'))`
const ASKS = String.raw`auth\.uid\(\)|private\.(require_|is_|may\(|my_permissions|lock_own_plan|lock_living_seat|lock_direct_payment|lock_problem|sees_problem|proof_methods)`

describe('every table', () => {
  test.each([
    ['has row-level security on', tables('not c.relrowsecurity')],
    [
      'that clients could reach, itself or through a view, has a policy, and no other one has',
      tables(`${HAS_POLICY} <> (c.relnamespace = 'public'::regnamespace or ${IS_SHOWN})`),
    ],
    [
      'has a primary key',
      tables('not exists (select from pg_index as i where i.indrelid = c.oid and i.indisprimary)'),
    ],
    ['belongs to an owner who is not a superuser', tables(`r.rolsuper or r.rolname <> 'project_owner'`)],
    [
      'has each foreign key at the head of an index',
      foreignKeys(`not exists (select from pg_index as i where i.indrelid = k.conrelid and i.indpred is null
        and (i.indkey::int2[])[0:cardinality(k.conkey) - 1] @> k.conkey)`),
    ],
    [
      'refers to accounts by their id alone, and goes with them, or keeps them as who moved coins',
      foreignKeys(`target.relnamespace = 'auth'::regnamespace
        and (k.confrelid <> 'auth.users'::regclass or k.confdeltype <>
            case when k.conname ~ '_(created|processed|completed|returned|voided|opened)_by_fkey$' then 'r' else 'c' end
          or (select array_agg(a.attname::text) from pg_attribute as a
            where a.attrelid = k.confrelid and a.attnum = any (k.confkey)) <> '{id}')`),
    ],
    [
      'has no two indexes that are the same',
      `select min(indexrelid::regclass::text) as found from pg_index
       where indrelid::regclass::text !~ '^(pg_|information_schema)'
       group by indrelid, indkey::text, indclass::text, indoption::text,
         coalesce(pg_get_expr(indpred, indrelid), ''), coalesce(pg_get_expr(indexprs, indrelid), '')
       having count(*) > 1`,
    ],
    [
      'has a logged sequence, even if its rows are unlogged: an unlogged one is unreadable once a standby is promoted',
      `select oid::regclass::text as found from pg_class where relkind = 'S' and relpersistence = 'u'`,
    ],
    [
      'has no column of a type that a dump cannot carry',
      tables(`exists (select from pg_attribute as a
        where a.attrelid = c.oid and a.attnum > 0 and a.atttypid::regtype::text like 'reg%')`),
    ],
    [
      'is all that schema public holds, beside functions and views with the rights of their caller: no foreign table, sequence or extension',
      `select c.relname as found from pg_class as c
       where c.relnamespace = 'public'::regnamespace and c.relkind not in ('r', 'i')
         and not (c.relkind = 'v' and coalesce(c.reloptions @> '{security_invoker=true}', false))
       union all select extname from pg_extension where extnamespace = 'public'::regnamespace`,
    ],
  ])('%s', async (_rule, offenders) => {
    expect(await found(offenders)).toEqual([])
  })
})

describe('every policy', () => {
  test('is for signed-in people; only the catalogue and the imprint are open to visitors', async () => {
    expect(await found(policies(`roles <> '{authenticated}'`))).toEqual([
      'operator: Everybody reads who runs the site',
      'service_provider_data: Everyone reads the current catalogue',
    ])
  })

  test.each([
    [
      'asks who is signed in once per statement, not once per row',
      `regexp_replace(body, '${WHO}', '', 'gi') ~ 'auth\\.(uid|jwt|role|email)\\(\\)' or body ~ 'current_setting'`,
    ],
    ['grants nothing for what a person may write into their own account', `body ~ 'user_meta_?data'`],
    [
      'that lets somebody write has a condition',
      `cmd <> 'SELECT' and (coalesce(qual, '') = 'true' or coalesce(with_check, '') = 'true')`,
    ],
    [
      'for updates looks at the row before and after',
      `cmd = 'UPDATE' and (qual is null or with_check is null)`,
    ],
    [
      'is permissive and the only one for its command',
      `cmd = 'ALL' or permissive <> 'PERMISSIVE' or exists (
        select from pg_policies as other where other.schemaname = p.schemaname and other.tablename = p.tablename
          and other.policyname <> p.policyname and other.cmd = p.cmd and other.roles && p.roles)`,
    ],
    [
      'for updates and deletes can find its row, because one for reading is beside it',
      `cmd in ('UPDATE', 'DELETE') and not exists (select from pg_policies as other
        where other.schemaname = p.schemaname and other.tablename = p.tablename and other.cmd = 'SELECT')`,
    ],
  ])('%s', async (_rule, condition) => {
    expect(await found(policies(condition))).toEqual([])
  })
})

describe('every function', () => {
  test.each([
    [
      'pins an empty search_path, or had its names resolved when it was made and has no rights of its own',
      `not ${PINNED} and (p.prosecdef or p.prosqlbody is null and not ${TAKES_ROWS})`,
    ],
    [
      'over a row of a table keeps its body as text, or no column with a default could be added to the table',
      `p.prosqlbody is not null and ${TAKES_ROWS}`,
    ],
    [
      'reads tables, never a view for clients',
      `exists (select from pg_class as v where v.relkind = 'v' and v.relnamespace = 'public'::regnamespace
        and p.prosrc ~ ('public\\.' || v.relname || '\\M'))`,
    ],
    ["in public runs with the caller's rights", `n.nspname = 'public' and p.prosecdef`],
    [
      'is closed to everybody by default',
      `exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) as a where a.grantee = 0)`,
    ],
    [
      'of a trigger is closed to everybody, as firing it needs no right',
      `p.prorettype = 'trigger'::regtype and (n.nspname = 'public'
        or has_function_privilege('authenticated', p.oid, 'execute'))`,
    ],
    [
      'of a trigger is named after its table, or the schema of several, and what it does',
      `p.prorettype = 'trigger'::regtype and not exists (
        select from pg_trigger as t join pg_class as c on c.oid = t.tgrelid
        where t.tgfoid = p.oid and p.proname ~ format('^tg_(%s|%s)__', c.relname, c.relnamespace::regnamespace))`,
    ],
    [
      'that a policy, a trigger or each request asks keeps its plan, or goes into the statement that asks',
      `n.nspname = 'private' and p.prolang = (select oid from pg_language where lanname = 'sql')
        and p.prosqlbody is null and (${PINNED} or not ${TAKES_ROWS}) and ${ASKED} ~ ('private\\.' || p.proname || '\\(')`,
    ],
    // Functions that visitors may call as well are listed in grants.test.ts, and return the same to everybody.
    [
      'that acts with the rights of its owner and is open to people alone asks who is signed in',
      `p.prosecdef and has_function_privilege('authenticated', p.oid, 'execute')
        and not has_function_privilege('anon', p.oid, 'execute') and p.prosrc !~ '${ASKS}'`,
    ],
  ])('%s', async (_rule, condition) => {
    expect(await found(functions(condition))).toEqual([])
  })

  // Functions that Supabase's linter reports as function_search_path_mutable. A new expression must either be listed
  // here or pin its search_path; CONVENTIONS.md has the reason and the cost of the alternative.
  test('that pins no search_path is a constant, or an expression that goes into the statement', async () => {
    const expressions = functions(`not ${PINNED} and not (p.pronargs = 0 and p.provolatile = 'i')`)
    expect((await found(expressions)).map((one) => one.replace(/^private\.|\(.*/g, ''))).toEqual([
      'answer_time',
      'awaits_member',
      'awaits_money',
      'chain_hash',
      'debited_by',
      'entry_text',
      'first_due_at',
      'first_name',
      'given_name',
      'guarantee_refund_key',
      'has_failed',
      'hash_of',
      'hours_of',
      'invitation_status',
      'is_always_mailed',
      'is_chargeable',
      'is_claim_open',
      'is_claimed_or_paid',
      'is_failed_mail',
      'is_language',
      'is_late',
      'is_live_session',
      'is_mailable',
      'is_movement',
      'is_open_account',
      'is_open_claim',
      'is_open_directly',
      'is_open_refund',
      'is_open_request',
      'is_open_withdrawal',
      'is_owed_back',
      'is_paid',
      'is_picture',
      'is_plain_link',
      'is_refused_for_good',
      'is_reported_chat',
      'is_sheltered',
      'is_staff',
      'is_sure_payment',
      'is_unconfirmed',
      'key_begins',
      'late_from',
      'latest_renewal_date',
      'lost_on_withdrawal',
      'mailbox_of',
      'may',
      'may_act_as_staff',
      'may_withdraw_from_contract',
      'name_of_address',
      'name_refusal',
      'needs_answer',
      'new_plan_id',
      'path_without_secret',
      'payable_from',
      'permission_for',
      'place_price',
      'plain_code',
      'published_count',
      'receiver_of',
      'record_content',
      'record_digest',
      'refusal_may_pass',
      'request_deadline',
      'requests_open_since',
      'retry_wait',
      'seal_subject',
      'sealed_columns',
      'sealed_content_of',
      'seat_news',
      'shows_second_factor',
      'stays_due',
      'topic_of',
      'transfer_content',
      'uuid_in',
      'vat_in',
      'visible_length',
      'webhook_type',
    ])
  })

  test('in public is open to signed-in people, but for those that only the server calls', async () => {
    const closed = functions(
      `n.nspname = 'public' and not has_function_privilege('authenticated', p.oid, 'execute')`,
    )
    expect((await found(closed)).map((one) => one.replace(/\(.*/, ''))).toEqual([
      'admit_api_token',
      'api_token',
      'begin_vault',
      'calendar_of',
      'compare_after_restore',
      'end_mandate',
      'forget_card',
      'knows_account',
      'knows_charge',
      'lease_due_deliveries',
      'lease_due_mails',
      'lease_due_pushes',
      'lease_payment_jobs',
      'make_first_admin',
      'metrics',
      'missing_vault_keys',
      'move_clock',
      'note_payout_file',
      'open_first_admin_address',
      'recall_simulated',
      'record_account',
      'record_account_payout',
      'record_account_reversal',
      'record_account_transfer',
      'record_card',
      'record_charges',
      'record_customer',
      'record_dispute',
      'record_dispute_answer',
      'record_fraud_warning',
      'record_intents',
      'record_movements',
      'record_refund',
      'record_unknown_event',
      'refuse_charge',
      'register_account',
      'remember_simulated',
      'report_payment_provider',
      'rewrap_vault_keys',
      'rotate_vault_keys',
      'save_bank_account',
      'save_tax_details',
      'save_vault_entry',
      'save_webhook',
      'settle_delivery',
      'settle_mail',
      'settle_payment_job',
      'settle_push',
    ])
  })
})
