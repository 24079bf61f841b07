import { type Cells, everybody, type Nine } from '../cells.ts'

/** The former member has reviewed the owner, which is shown and reported. */
const STAFF = (answer: string): Nine => [
  ...(['42501', '42501', '42501', '42501', '42501', '42501'] as const),
  ...([answer, answer, answer] as const),
]

export const reviews: Cells = {
  functions: {
    review_seat: {
      'the seat of the member, too early': [
        'review_seat(:seat, 5)',
        ['42501', 'PT404', 'PT404', '23514', 'PT404', '23514', 'PT404', 'PT404', 'PT404'],
      ],
      'the seat of the former member': [
        'review_seat(:former_seat, 5)',
        ['42501', 'PT404', 'PT404', 'PT404', '23505', 'yes', 'PT404', 'PT404', 'PT404'],
      ],
    },
    reviews_to_write: {
      'their own': [
        'reviews_to_write()',
        ['42501', 'nothing', 'nothing', 'nothing', 'nothing', 'yes', 'nothing', 'nothing', 'nothing'],
      ],
    },
    reviews_of: {
      'the owner': ['reviews_of(:olivia)', everybody('yes')],
      'somebody who has blocked them': ['reviews_of(:bea)', everybody('nothing')],
    },
    answer_review: {
      'of the owner': [
        `answer_review(:review, 'Thank you')`,
        ['42501', '42501', '42501', '42501', '42501', 'yes', '42501', '42501', '42501'],
      ],
    },
    report_review: {
      'of the owner, again': [
        `report_review(:review, 'Rude')`,
        ['42501', '23505', '23505', '23505', '23514', '23505', '23505', '23505', '23505'],
      ],
    },
    list_reported_reviews: { 'all that wait': ['list_reported_reviews()', STAFF('yes')] },
    decide_review: { 'of the owner': [`decide_review(:review, 'Rude')`, STAFF('yes')] },
  },
}
