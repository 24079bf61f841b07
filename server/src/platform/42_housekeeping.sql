-- Deletes expired data.
create or replace function platform.run_housekeeping() returns void language sql set search_path = '' as $$
  delete from net._http_response where created < now() - interval '6 hours';
  select platform.forget_runs();
  -- No link is valid for that long.
  delete from auth.one_time_tokens where created_at < now() - interval '7 days';
  delete from auth.webauthn_challenges where expires_at < now();
$$;
revoke execute on function platform.run_housekeeping() from public;
