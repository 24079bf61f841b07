import { type Cells, NOBODY, signedIn } from '../cells.ts'

export const payments: Cells = {
  tables: {
    payment_methods: {
      rows: { own: 'user_id = :me' },
      select: signedIn('own'),
      hidden: ['provider', 'reference'],
      insert: NOBODY,
      update: NOBODY,
      delete: NOBODY,
    },
    payment_disputes: {
      select: ['42501', 'none', 'none', 'none', 'none', 'none', 'none', 'all', 'all'],
      insert: NOBODY,
      update: NOBODY,
      delete: NOBODY,
    },
    unknown_payment_events: {
      select: ['42501', 'none', 'none', 'none', 'none', 'none', 'none', 'all', 'all'],
      insert: NOBODY,
      update: NOBODY,
      delete: NOBODY,
    },
  },
  functions: {
    payment_provider: { 'of the site': ['payment_provider()', signedIn('nothing')] },
    payment_person: { 'their own': ['payment_person(false)', signedIn('yes')] },
    choose_card: {
      'their own': ['choose_card(md5(:me::text)::uuid)', signedIn('yes')],
      'of another': [`choose_card(md5(:lea::text)::uuid)`, signedIn('PT404')],
    },
    remove_card: {
      'their own': ['remove_card(md5(:me::text)::uuid)', signedIn('yes')],
      'of another': [`remove_card(md5(:lea::text)::uuid)`, signedIn('PT404')],
    },
    begin_payment: { 'of another': [`begin_payment(:lea, null)`, signedIn('PT404')] },
    own_charge: { 'of another': [`own_charge(:lea)`, signedIn('nothing')] },
    record_intent: { 'of another': [`record_intent(:lea, 'pi_mine')`, NOBODY] },
    knows_charge: { 'of another': [`knows_charge('pi')`, NOBODY] },
    record_charge: { 'of another': [`record_charge('pi', 'succeeded', null, 5, 0, true)`, NOBODY] },
    record_refund: { 'of another': [`record_refund('re', null, 'succeeded', null)`, NOBODY] },
    record_dispute: { 'of another': [`record_dispute('dp', 'pi', 5, 'won', 'general', null)`, NOBODY] },
    report_payment_provider: {
      'of the site': [`report_payment_provider('stripe', 'live', 'pk_live_mine')`, NOBODY],
    },
    take_payment_jobs: { "everybody's": [`take_payment_jobs('stripe', 10)`, NOBODY] },
    settle_payment_job: { 'of another': [`settle_payment_job(:lea, 1, null)`, NOBODY] },
    record_customer: { 'of another': [`record_customer(:lea, 'cus_mine')`, NOBODY] },
    record_card: { 'of another': [`record_card('cus_lea', 'pm', 'visa', '4242', 1, 2030, true)`, NOBODY] },
    forget_card: { 'of another': [`forget_card('pm')`, NOBODY] },
    keep_unknown_event: { 'of the provider': [`keep_unknown_event('evt', 'x', 'y')`, NOBODY] },
    review_payment_event: {
      'of the provider': [
        `review_payment_event('evt_1', 'Of our other site')`,
        ['42501', '42501', '42501', '42501', '42501', '42501', '42501', 'yes', 'yes'],
      ],
    },
    recall_simulated: { 'of another': [`recall_simulated('sim')`, NOBODY] },
    remember_simulated: { 'of another': [`remember_simulated('sim', '{}')`, NOBODY] },
  },
}
