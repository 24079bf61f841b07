// Hosted projects differ in what new tables are open to before a migration speaks: ours must not care.
import { resolve } from 'node:path'
import { migrate, readMigrations } from '@potluck/server/db/migrate.ts'
import { openPglite } from '@potluck/server/db/pglite.ts'
import { beforeAll, describe, expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')

/** What each API role may do: `role right object`, columns included where the right is not for the whole table. */
const GRANTS = `
  with api (role) as (values ('anon'), ('authenticated'), ('service_role')), relations as (
    select c.oid, c.oid::regclass::text as name from pg_class as c
    where c.relnamespace::regnamespace::text in ('public', 'private') and c.relkind = 'r'
  )
  select role || ' ' || lower(kind) || ' ' || name as found
  from api, relations, unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) as kind
  where has_table_privilege(role, oid, kind)
  union all
  select role || ' ' || lower(kind) || ' ' || name || ' (' || string_agg(a.attname, ', ' order by a.attname) || ')'
  from api, relations, unnest(array['SELECT', 'INSERT', 'UPDATE', 'REFERENCES']) as kind, pg_attribute as a
  where a.attrelid = relations.oid and a.attnum > 0 and not a.attisdropped
    and not has_table_privilege(role, relations.oid, kind)
    and has_column_privilege(role, relations.oid, a.attnum, kind)
  group by role, kind, name
  union all
  select role || ' execute ' || p.oid::regprocedure from api, pg_proc as p
  where p.pronamespace::regnamespace::text in ('public', 'private') and has_function_privilege(role, p.oid, 'execute')
  order by 1`

async function grantsWhen(exposeNewTables: boolean): Promise<string[]> {
  const db = await openPglite({})
  const platform = await readMigrations(resolve(ROOT, 'server/src/platform'))
  const migrations = await readMigrations(resolve(ROOT, 'supabase/migrations'))
  await migrate(db, { platform, migrations, exposeNewTables })
  const rows = await db.query<{ found: string }>(GRANTS)
  await db.close()
  return rows.map(({ found }) => found)
}

describe('the rights of visitors, signed-in people and the server', () => {
  let closed: string[]
  let exposed: string[]
  beforeAll(async () => {
    closed = await grantsWhen(false)
    exposed = await grantsWhen(true)
  })

  test('are alike whether or not new objects are exposed by default', () => {
    expect(exposed).toEqual(closed)
  })

  test('let a visitor read the catalogue, end mail by its link, and nothing else', () => {
    expect(closed.filter((grant) => grant.startsWith('anon '))).toEqual([
      'anon execute private.set_mail_preference_by_link(text,boolean)',
      'anon execute set_mail_preference_by_link(text,boolean)',
      'anon select service_provider_data',
    ])
  })

  test('are for tables exactly these', () => {
    expect(
      closed.filter((grant) => grant.startsWith('authenticated ') && !grant.includes(' execute ')),
    ).toMatchInlineSnapshot(`
      [
        "authenticated delete shared_subscriptions",
        "authenticated delete subscription_logins",
        "authenticated delete subscription_members",
        "authenticated delete user_roles",
        "authenticated insert admin_role_requests (email, name, reason, user_id)",
        "authenticated insert messages (content, conversation_id, id, message_type, metadata, sender_id)",
        "authenticated insert provider_requests (category, description, plans_data, provider_name, status, user_id, website_url)",
        "authenticated insert shared_subscriptions",
        "authenticated insert subscription_logins (login_name, subscription_id)",
        "authenticated insert subscription_requests (email, message, name, status, subscription_id, user_id)",
        "authenticated insert system_roles (description, name, permissions)",
        "authenticated insert user_profiles (avatar_url, display_name, full_name, phone_number, user_id)",
        "authenticated insert user_roles (granted_by, role, user_id)",
        "authenticated insert withdrawal_requests (amount, user_id)",
        "authenticated select admin_role_requests",
        "authenticated select app_settings",
        "authenticated select chat_participants",
        "authenticated select coin_transactions",
        "authenticated select conversations",
        "authenticated select member_payments",
        "authenticated select messages",
        "authenticated select provider_requests",
        "authenticated select service_provider_data",
        "authenticated select shared_subscriptions",
        "authenticated select subscription_invitations (accepted_at, created_at, declined_at, email, expires_at, id, invited_by, mail_status, subscription_id, withdrawn_at)",
        "authenticated select subscription_logins",
        "authenticated select subscription_members",
        "authenticated select subscription_requests",
        "authenticated select system_permissions",
        "authenticated select system_roles",
        "authenticated select user_notifications",
        "authenticated select user_profiles (avatar_url, created_at, display_name, updated_at, user_id)",
        "authenticated select user_roles",
        "authenticated select user_wallets",
        "authenticated select withdrawal_requests",
        "authenticated update admin_role_requests (reviewed_at, status)",
        "authenticated update provider_requests (status)",
        "authenticated update shared_subscriptions (next_payment, owner_max_members)",
        "authenticated update subscription_logins (login_name, subscription_id)",
        "authenticated update subscription_requests (status)",
        "authenticated update system_roles (description, name, permissions)",
        "authenticated update user_profiles (avatar_url, display_name, full_name, phone_number, updated_at)",
        "authenticated update user_roles (granted_by, role, user_id)",
        "authenticated update withdrawal_requests (bank_account_last4, completed_at, processed_at, rejection_reason, status, stripe_transfer_id)",
      ]
    `)
  })

  test('open exactly these functions to signed-in people', () => {
    expect(closed.filter((grant) => grant.startsWith('authenticated execute '))).toMatchInlineSnapshot(`
      [
        "authenticated execute accept_invitation(text)",
        "authenticated execute adjust_wallet(uuid,numeric,text)",
        "authenticated execute approve_subscription_request(uuid,text)",
        "authenticated execute assign_user_role(uuid,text)",
        "authenticated execute check_existing_subscription_membership(text,uuid)",
        "authenticated execute check_existing_subscription_request(text,uuid)",
        "authenticated execute count_available_plans()",
        "authenticated execute count_kept_places(text[])",
        "authenticated execute decline_invitation(text)",
        "authenticated execute delete_own_account(boolean)",
        "authenticated execute export_own_data()",
        "authenticated execute fetch_archived_requests(text)",
        "authenticated execute fetch_user_archived_requests(uuid)",
        "authenticated execute find_or_create_conversation(text,uuid,uuid)",
        "authenticated execute get_admin_dashboard()",
        "authenticated execute get_conversation_unread_status(uuid,uuid)",
        "authenticated execute get_invitation(text)",
        "authenticated execute get_mail_preference()",
        "authenticated execute get_own_profile()",
        "authenticated execute get_pending_provider_requests_count()",
        "authenticated execute get_pending_requests_with_expiry(text)",
        "authenticated execute get_user_unread_conversations(uuid)",
        "authenticated execute invite_member(text,text)",
        "authenticated execute is_subscription_owner(text)",
        "authenticated execute list_plans_for_review(text,timestamp with time zone,text,integer)",
        "authenticated execute list_system_roles()",
        "authenticated execute list_users(text,integer,timestamp with time zone,uuid)",
        "authenticated execute list_withdrawals(integer,integer)",
        "authenticated execute mark_conversation_read(uuid,uuid)",
        "authenticated execute mark_notifications_as_read(uuid,uuid[])",
        "authenticated execute open_own_wallet()",
        "authenticated execute private.accept_invitation(text)",
        "authenticated execute private.adjust_wallet(uuid,numeric,text)",
        "authenticated execute private.approve_subscription_request(uuid,text)",
        "authenticated execute private.assign_user_role(uuid,text)",
        "authenticated execute private.characters(text)",
        "authenticated execute private.count_kept_places(text[])",
        "authenticated execute private.decline_invitation(text)",
        "authenticated execute private.delete_own_account(boolean)",
        "authenticated execute private.export_own_data()",
        "authenticated execute private.fetch_archived_requests(text)",
        "authenticated execute private.fetch_user_archived_requests(uuid)",
        "authenticated execute private.find_or_create_conversation(text,uuid,uuid)",
        "authenticated execute private.get_admin_dashboard()",
        "authenticated execute private.get_conversation_unread_status(uuid,uuid)",
        "authenticated execute private.get_invitation(text)",
        "authenticated execute private.get_mail_preference()",
        "authenticated execute private.get_own_profile()",
        "authenticated execute private.get_pending_requests_with_expiry(text)",
        "authenticated execute private.invite_member(text,text)",
        "authenticated execute private.is_admin()",
        "authenticated execute private.is_plan_member(text)",
        "authenticated execute private.is_plan_owner(text)",
        "authenticated execute private.is_staff()",
        "authenticated execute private.is_super_admin()",
        "authenticated execute private.least_withdrawal()",
        "authenticated execute private.list_plans_for_review(text,timestamp with time zone,text,integer)",
        "authenticated execute private.list_system_roles()",
        "authenticated execute private.list_users(text,integer,timestamp with time zone,uuid)",
        "authenticated execute private.list_withdrawals(integer,integer)",
        "authenticated execute private.longest_message()",
        "authenticated execute private.mark_conversation_read(uuid,uuid)",
        "authenticated execute private.mark_notifications_as_read(uuid,uuid[])",
        "authenticated execute private.most_coins()",
        "authenticated execute private.my_email()",
        "authenticated execute private.my_role()",
        "authenticated execute private.open_own_wallet()",
        "authenticated execute private.plan_counts()",
        "authenticated execute private.reject_subscription_request(uuid,text)",
        "authenticated execute private.request_lifetime()",
        "authenticated execute private.require_self(uuid)",
        "authenticated execute private.require_user()",
        "authenticated execute private.review_plan(text,text)",
        "authenticated execute private.set_mail_preference(boolean)",
        "authenticated execute private.set_mail_preference_by_link(text,boolean)",
        "authenticated execute private.transaction_statistics()",
        "authenticated execute private.validate_withdrawal_request(uuid,numeric)",
        "authenticated execute private.wallet_overview()",
        "authenticated execute private.withdraw_invitation(uuid)",
        "authenticated execute private.withdrawal_statistics()",
        "authenticated execute reject_subscription_request(uuid,text)",
        "authenticated execute review_plan(text,text)",
        "authenticated execute search_plans(text,text,text,timestamp with time zone,text,integer)",
        "authenticated execute set_mail_preference(boolean)",
        "authenticated execute set_mail_preference_by_link(text,boolean)",
        "authenticated execute transaction_statistics()",
        "authenticated execute validate_withdrawal_request(uuid,numeric)",
        "authenticated execute wallet_overview()",
        "authenticated execute withdraw_invitation(uuid)",
        "authenticated execute withdrawal_statistics()",
      ]
    `)
  })
})
