-- What time alone brings about, by the database's clock.
create function private.run_due_work() returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.expire_join_requests();
  perform private.tell_expiring_requests();
  perform private.free_kept_places();
end $$;

-- Forgets what nobody looks at any more.
create function private.keep_house() returns void
language sql volatile security definer set search_path = '' as $$
  delete from private.outgoing_mail
  where created_at < now() - interval '30 days' and (sent_at is not null or given_up_at is not null);
  delete from private.rate_limit_usage where used_at[cardinality(used_at)] < now() - interval '1 day';
  delete from public.user_notifications
  where created_at < now() - case when read then interval '90 days' else interval '1 year' end;
$$;

-- Has an Edge Function do what is due, where the project's address is known: our server says it of itself to each of its
-- sessions, and on hosted Supabase the operator keeps it in the vault as `project_url`.
create function private.call_function(p_name text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare v_url text := nullif(current_setting('app.settings.project_url', true), '');
begin
  if v_url is null and to_regclass('vault.decrypted_secrets') is not null then
    select decrypted_secret into v_url from vault.decrypted_secrets where name = 'project_url';
  end if;
  if v_url is null then return; end if;
  perform net.http_post(v_url || '/functions/v1/' || p_name, timeout_milliseconds := 60000);
end $$;

-- Our server carries mail as soon as it is written, so that none is due here; on hosted Supabase the function does.
create function private.call_mail() returns void
language sql volatile security definer set search_path = '' as $$
  select private.call_function('mail') where exists (
    select from private.outgoing_mail
    where sent_at is null and given_up_at is null and next_attempt_at <= clock_timestamp() - interval '5 seconds'
  )
$$;

do $$ begin
  -- On hosted Supabase it is for the project to install; elsewhere the functions are there.
  if to_regprocedure('cron.schedule(text,text,text)') is null then
    create extension if not exists pg_cron with schema pg_catalog;
    create extension if not exists pg_net;
  end if;
  perform cron.schedule('due-work', '* * * * *', 'select private.run_due_work()');
  perform cron.schedule('mail', '* * * * *', 'select private.call_mail()');
  perform cron.schedule('payments', '* * * * *', 'select private.call_function(''payments/tick'')');
  perform cron.schedule('housekeeping', '23 3 * * *', 'select private.keep_house()');
end $$;

revoke execute on all functions in schema private from public;
