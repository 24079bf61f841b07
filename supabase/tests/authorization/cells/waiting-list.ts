import { type Cells, NOBODY, signedIn } from '../cells.ts'

// The stranger waits for the second plan. The first has a place.
export const waitingList: Cells = {
  tables: {
    waiting_list: {
      select: ['42501', 'all', 'none', 'none', 'none', 'none', 'none', 'none', 'none'],
      insert: NOBODY,
      update: NOBODY,
      delete: NOBODY,
    },
  },
  functions: {
    join_waiting_list: {
      'of the plan': [
        'join_waiting_list(:plan)',
        ['42501', '23514', '23505', '23505', '23514', '23505', '23514', '23514', '23514'],
      ],
    },
    leave_waiting_list: {
      'of the other plan': [
        'leave_waiting_list(:other_plan)',
        ['42501', 'yes', 'PT404', 'PT404', 'PT404', 'PT404', 'PT404', 'PT404', 'PT404'],
      ],
    },
    my_waiting_lists: {
      'of one self': [
        'my_waiting_lists()',
        ['42501', 'yes', 'nothing', 'nothing', 'nothing', 'nothing', 'nothing', 'nothing', 'nothing'],
      ],
    },
    // Nobody here has lost a plan they paid for long enough; precedence.test.ts has who did.
    my_precedence: {
      'of one self': ['my_precedence()', signedIn('nothing')],
    },
  },
}
