import { type Cells, everybody, type Nine, NOBODY, signedIn, visitorsApart } from '../cells.ts'

/** Lea has reported the owner. */
const STAFF = (answer: string): Nine => [
  ...(['42501', '42501', '42501', '42501', '42501', '42501'] as const),
  ...([answer, answer, answer] as const),
]

export const people: Cells = {
  tables: {
    user_profiles: {
      rows: { own: 'user_id = :me' },
      select: signedIn('all'),
      hidden: ['full_name', 'phone_number'],
      insert: {
        columns: ['user_id', 'display_name', 'full_name', 'phone_number', 'avatar_url'],
        attempts: {
          'their own': [
            `(user_id, display_name) values (:me, 'New')
             on conflict (user_id) do update set display_name = excluded.display_name`,
            signedIn('yes'),
          ],
          'of another': [
            `(user_id, display_name) values (:lea, 'New')
             on conflict (user_id) do update set display_name = excluded.display_name`,
            NOBODY,
          ],
        },
      },
      update: {
        columns: ['display_name', 'full_name', 'phone_number', 'avatar_url', 'updated_at'],
        attempts: {
          'name and number': [
            `display_name = 'New', full_name = 'New', phone_number = '+4930123456'`,
            signedIn('own'),
          ],
        },
      },
      delete: NOBODY,
    },
    user_details: {
      rows: { own: 'user_id = :me' },
      // The others' whom an admin sees are those who have asked for a payout.
      select: ['42501', 'own', 'own', 'own', 'own', 'own', 'own', 'all', 'all'],
      insert: NOBODY,
      update: NOBODY,
      delete: NOBODY,
    },
    user_notifications: {
      rows: { own: 'user_id = :me' },
      select: signedIn('own'),
      insert: NOBODY,
      update: NOBODY,
      delete: NOBODY,
    },
  },
  functions: {
    report_person: {
      'the owner': [
        `report_person(:olivia, 'Rude')`,
        ['42501', 'yes', 'yes', 'yes', 'yes', '23514', 'yes', 'yes', 'yes'],
      ],
      'who has blocked them': [`report_person(:bea, 'Rude')`, signedIn('yes')],
    },
    list_person_reports: { 'those about others': ['list_person_reports()', STAFF('yes')] },
    close_person_report: { 'about the owner': [`close_person_report(:report, 'Seen')`, STAFF('yes')] },
    get_person: {
      'who shares a plan': ['get_person(:olivia)', everybody('yes')],
      'who shares none': ['get_person(:marc)', visitorsApart('nothing', 'yes')],
      'who has blocked all but visitors': ['get_person(:bea)', visitorsApart('yes', 'nothing')],
      'nobody there is': ['get_person(gen_random_uuid())', everybody('nothing')],
    },
    my_home: { 'their own': ['my_home()', signedIn('yes')] },
    export_own_data: {
      'their own': ['export_own_data()', signedIn('yes')],
    },
    proof_methods: { 'their own': ['proof_methods()', signedIn('yes')] },
    my_sessions: { 'their own': ['my_sessions()', signedIn('nothing')] },
    end_session: { 'of another': ['end_session(:lea)', signedIn('PT404')] },
    recent_account_changes: { 'their own': ['recent_account_changes()', signedIn('yes')] },
    undo_account_change: {
      'with a link that leads nowhere': [`undo_account_change('guessed')`, everybody('PT404')],
    },
    delete_own_account: {
      'with coins and a withdrawal on its way': [
        'delete_own_account(true)',
        ['42501', 'yes', 'yes', 'yes', 'yes', '23514', 'yes', 'yes', '23514'],
      ],
    },
  },
}
