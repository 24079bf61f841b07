import { type Cells, everybody, NOBODY, signedIn } from '../cells.ts'

export const mail: Cells = {
  functions: {
    get_notification_choices: { 'their own': ['get_notification_choices()', signedIn('yes')] },
    choose_notifications: { 'their own': [`choose_notifications('money', 'mail', false)`, signedIn('yes')] },
    get_mail_preference: { 'their own': ['get_mail_preference()', signedIn('true')] },
    set_mail_preference: { 'their own': ['set_mail_preference(false)', signedIn('yes')] },
    set_mail_preference_by_link: {
      'with a link that leads nowhere': [`set_mail_preference_by_link('guessed', false)`, everybody('PT404')],
    },
    get_calendar: { 'their own': ['get_calendar()', signedIn('nothing')] },
    make_calendar: { 'their own': ['make_calendar()', signedIn('yes')] },
    end_calendar: { 'their own': ['end_calendar()', signedIn('yes')] },
    calendar_of: { 'with an address nobody has': [`calendar_of('guessed')`, NOBODY] },
    add_push_device: {
      'without a session': [
        `add_push_device('https://fcm.googleapis.com/x', 'key', 'secret')`,
        signedIn('PT401'),
      ],
    },
    my_push_devices: { 'their own': ['my_push_devices()', signedIn('nothing')] },
    remove_push_device: { 'of another': ['remove_push_device(:lea)', signedIn('PT404')] },
    test_push: { 'their own': ['test_push()', signedIn('23514')] },
    take_due_pushes: { 'of everybody': ['take_due_pushes(1)', NOBODY] },
    settle_push: { 'of another': [`settle_push(:lea, :lea, 1, null, 'gone')`, NOBODY] },
    take_due_mails: { 'of everybody': ['take_due_mails(1)', NOBODY] },
    settle_mail: { 'of another': ['settle_mail(:lea, 1, null, false)', NOBODY] },
  },
}
