-- Deletes expired data.
create or replace function platform.keep_house() returns void language sql set search_path = '' as $$
  delete from net._http_response where created < now() - interval '6 hours';
  delete from cron.job_run_details where end_time < now() - interval '7 days';
  -- No link is valid for that long.
  delete from auth.one_time_tokens where created_at < now() - interval '7 days';
  delete from auth.webauthn_challenges where expires_at < now();
$$;
revoke execute on function platform.keep_house() from public;
select cron.schedule('platform-housekeeping', '*/10 * * * *', 'select platform.keep_house()');
