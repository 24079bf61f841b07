import { type Cells, everybody, NOBODY, signedIn } from '../cells.ts'

export const mail: Cells = {
  functions: {
    get_mail_preference: { 'their own': ['get_mail_preference()', signedIn('true')] },
    set_mail_preference: { 'their own': ['set_mail_preference(false)', signedIn('yes')] },
    set_mail_preference_by_link: {
      'with a link that leads nowhere': [`set_mail_preference_by_link('guessed', false)`, everybody('PT404')],
    },
    take_due_mails: { 'of everybody': ['take_due_mails(1)', NOBODY] },
    settle_mail: { 'of another': ['settle_mail(:lea, 1, null, false)', NOBODY] },
  },
}
