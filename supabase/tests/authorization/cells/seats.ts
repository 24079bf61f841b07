import { type Cells, type Nine, NOBODY, signedIn } from '../cells.ts'

const ONLY_THE = (role: 'member' | 'owner', answer: string, others: string): Nine => [
  ...(['42501', others, others] as const),
  role === 'member' ? answer : others,
  others,
  role === 'owner' ? answer : others,
  ...([others, others, others] as const),
]

const WHO_GETS_IN = (answer: string, others: string): Nine =>
  ONLY_THE('owner', answer, others).with(3, answer) as unknown as Nine

export const seats: Cells = {
  tables: {
    member_payments: {
      rows: { own: 'member_id = :me or owner_id = :me' },
      select: ['42501', 'none', 'none', 'own', 'own', 'own', 'none', 'all', 'all'],
      insert: NOBODY,
      update: NOBODY,
      delete: NOBODY,
    },
    term_proposals: {
      rows: { own: 'member_id = :me or owner_id = :me' },
      select: ['42501', 'none', 'none', 'own', 'none', 'own', 'none', 'none', 'none'],
      insert: NOBODY,
      update: NOBODY,
      delete: NOBODY,
    },
    seat_problems: {
      rows: { own: 'member_id = :me or owner_id = :me' },
      select: ['42501', 'none', 'none', 'own', 'none', 'own', 'none', 'all', 'all'],
      insert: NOBODY,
      update: NOBODY,
      delete: NOBODY,
    },
    problem_statements: {
      rows: { own: 'problem_id in (select id from seat_problems where member_id = :me or owner_id = :me)' },
      select: ['42501', 'none', 'none', 'own', 'none', 'own', 'none', 'all', 'all'],
      insert: NOBODY,
      update: NOBODY,
      delete: NOBODY,
    },
    payment_wishes: {
      rows: { own: 'user_id = :me', 'of the owner they pay': 'user_id = :olivia' },
      select: ONLY_THE('member', 'of the owner they pay', 'none').with(5, 'own') as unknown as Nine,
      insert: {
        columns: ['user_id', 'kind', 'iban', 'holder', 'link', 'note'],
        attempts: {
          'their own': [
            `(kind, link) values ('link', 'https://pay.example/me')`,
            signedIn('yes').with(5, '23505') as unknown as Nine,
          ],
          'of another': [`(user_id, kind, note) values (:lea, 'text', 'Cash')`, NOBODY],
        },
      },
      update: {
        columns: ['kind', 'iban', 'holder', 'link', 'note'],
        attempts: { 'a note': [`note = 'Cash'`, ONLY_THE('owner', 'own', 'none')] },
      },
      delete: ONLY_THE('owner', 'own', 'none'),
    },
  },
  functions: {
    move_clock: { 'by an hour': [`move_clock('1 hour')`, NOBODY] },
    my_time_zone: { 'their own, before any is known': ['my_time_zone()', signedIn('nothing')] },
    set_time_zone: {
      'their own': [`set_time_zone('Europe/Berlin')`, signedIn('yes')],
      'one that nobody knows': [`set_time_zone('Atlantis')`, signedIn('23514')],
    },
    quote_plan: {
      'a plan that is active': ['quote_plan(:plan)', signedIn('yes')],
      'a plan in review': [
        'quote_plan(:pending_plan)',
        ['42501', 'PT404', 'PT404', 'PT404', 'PT404', 'PT404', 'yes', 'yes', 'yes'],
      ],
    },
    my_seats: {
      'their own': [
        'my_seats()',
        ['42501', 'nothing', 'nothing', 'yes', 'yes', 'nothing', 'nothing', 'nothing', 'nothing'],
      ],
    },
    plan_seats: { 'of the plan': ['plan_seats(:plan)', ONLY_THE('owner', 'yes', 'nothing')] },
    leave_seat: {
      'of the member, now': ['leave_seat(:seat, true)', ONLY_THE('member', 'yes', 'PT404')],
      'of the member, at the end': ['leave_seat(:seat)', ONLY_THE('member', 'yes', 'PT404')],
    },
    stay: { 'of the member, who has not left': ['stay(:seat)', ONLY_THE('member', '23514', 'PT404')] },
    use_coins_first: {
      'of the member': ['use_coins_first(:seat, true)', ONLY_THE('member', 'yes', 'PT404')],
    },
    settle_owed: { 'where nothing is owed': ['settle_owed(:seat)', ONLY_THE('member', '23514', 'PT404')] },
    give_access: { 'to the member': [`give_access(:seat, 'home')`, ONLY_THE('owner', 'yes', 'PT404')] },
    confirm_access: { 'of the member': ['confirm_access(:seat)', ONLY_THE('member', 'yes', 'PT404')] },
    report_problem: {
      'a second one': [`report_problem(:seat, 'password')`, ONLY_THE('member', '23514', 'PT404')],
    },
    say_fixed: { 'of the member': ['say_fixed(:problem)', ONLY_THE('owner', 'yes', 'PT404')] },
    contest_problem: { 'of the member': ['contest_problem(:problem)', ONLY_THE('owner', 'yes', 'PT404')] },
    answer_fix: {
      'before the owner has spoken': ['answer_fix(:problem, true)', ONLY_THE('member', '23514', 'PT404')],
    },
    withdraw_problem: { 'of the member': ['withdraw_problem(:problem)', ONLY_THE('member', 'yes', 'PT404')] },
    decide_problem: {
      'that waits for the owner': [
        `decide_problem(:problem, true, 'Tried it')`,
        ['42501', '42501', '42501', '42501', '42501', '42501', '42501', '23514', '23514'],
      ],
    },
    problem_timeline: {
      'of the member': [
        'problem_timeline(:problem)',
        ['42501', 'PT404', 'PT404', 'yes', 'PT404', 'yes', 'PT404', 'yes', 'yes'],
      ],
    },
    propose_terms: {
      'the terms there are': [
        `propose_terms(:plan, 'direct')`,
        ['42501', '42501', '42501', '42501', '42501', '23514', '42501', '42501', '42501'],
      ],
    },
    answer_terms: {
      'to the member': ['answer_terms(:proposal, false)', ONLY_THE('member', 'yes', 'PT404')],
    },
    end_seat_with_period: {
      'of the member': ['end_seat_with_period(:seat)', ONLY_THE('owner', 'yes', 'PT404')],
    },
    get_vault_entry: { 'of the plan': ['get_vault_entry(:plan)', WHO_GETS_IN('yes', 'nothing')] },
    // Whoever has left did so before there was anything to know.
    passwords_due: { 'of one self': ['passwords_due()', signedIn('nothing')] },
    list_vault_versions: { 'of the plan': ['list_vault_versions(:plan)', WHO_GETS_IN('yes', 'nothing')] },
    list_vault_openings: {
      'of the plan, which the member has opened': [
        'list_vault_openings(:plan)',
        WHO_GETS_IN('yes', 'nothing'),
      ],
    },
    prepare_vault_entry: { 'of the plan': ['prepare_vault_entry(:plan)', ONLY_THE('owner', 'yes', '42501')] },
    save_vault_entry: {
      'the next version': [
        `save_vault_entry(:plan, 2, 'v1.sealed', null)`,
        ONLY_THE('owner', 'yes', '42501'),
      ],
    },
    open_vault_entry: { 'of the plan': ['open_vault_entry(:plan)', WHO_GETS_IN('yes', 'PT404')] },
    say_paid: { 'of the member': ['say_paid(:payment)', ONLY_THE('member', 'yes', 'PT404')] },
    confirm_payment: { 'of the member': ['confirm_payment(:payment)', ONLY_THE('owner', 'yes', 'PT404')] },
    deny_payment: {
      'that nobody says is paid': [
        `deny_payment(:payment, 'Nothing here')`,
        ONLY_THE('owner', '23514', 'PT404'),
      ],
    },
    nudge_payment: { 'of the member': ['nudge_payment(:payment)', ONLY_THE('owner', 'yes', 'PT404')] },
    end_late_seat: {
      'of the member, who is in time': ['end_late_seat(:seat)', ONLY_THE('owner', '23514', 'PT404')],
    },
  },
}
