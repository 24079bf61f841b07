set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.tell_of_failing_jobs()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare v_trouble record;
begin
  update private.payment_jobs set last_error = 'the function "payments" does not come for them',
    failing_since = coalesce(failing_since, next_attempt_at)
  where next_attempt_at <= clock_timestamp() - private.job_patience() and not told;
  for v_trouble in
    with late as (
      update private.payment_jobs set told = true
      where failing_since <= clock_timestamp() - private.job_patience() and not told and last_error is not null
      returning last_error
    )
    select last_error, count(*) as jobs from late
    where not exists (select from private.payment_jobs as j where j.told and j.last_error = late.last_error) group by last_error
  loop
    perform private.tell_treasurers('error', 'Payments Fail',
      format('Charges or refunds have failed for %s, and are tried again: %s', private.hours(private.job_patience()), v_trouble.last_error),
      'payment-jobs-fail', jsonb_build_object('jobs', v_trouble.jobs, 'error', v_trouble.last_error));
  end loop;
end $function$;
