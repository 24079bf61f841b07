set local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.check_request()
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  if current_setting('request.headers', true) like '%"x-potluck-ticket"%' then
    perform set_config('request.jwt.claims',
      private.claims_of_ticket(current_setting('request.headers')::json ->> 'x-potluck-ticket'), true);
    perform set_config('role', 'authenticated', true);
  elsif current_user = 'anon' and auth.uid() is null and current_setting('request.method', true) in ('GET', 'HEAD')
    and current_setting('request.path', true) in ('/rpc/market_plans', '/rpc/market_plan', '/rpc/count_available_plans',
      '/rpc/plan_of_code', '/rpc/get_person', '/rpc/reviews_of', '/rpc/fee_rate', '/rpc/public_books', '/service_provider_data') then
    -- They may answer with it until it is two seconds old; browsers only after asking whether it still holds.
    perform set_config('response.headers', '[{"Cache-Control": "public, max-age=0, s-maxage=2, must-revalidate"},
      {"Vary": "Accept, Accept-Profile, Authorization, Apikey, Prefer, Range, X-Potluck-Ticket"}]', true);
  end if;
  perform private.check_session();
end $function$;
