import { type Cells, type Nine, NOBODY, signedIn } from '../cells.ts'

const THOSE_WHO_CHAT: Nine = ['42501', 'none', 'none', 'own', 'own', 'own', 'none', 'none', 'none']
const BOTH_SIDES: Nine = ['42501', '42501', '42501', 'yes', '42501', 'yes', '42501', '42501', '42501']

export const chat: Cells = {
  tables: {
    conversations: {
      rows: { own: 'owner_id = :me or member_id = :me' },
      select: THOSE_WHO_CHAT,
      insert: NOBODY,
      update: NOBODY,
      delete: NOBODY,
    },
    messages: {
      rows: {
        own: 'conversation_id in (select id from conversations where owner_id = :me or member_id = :me)',
      },
      select: THOSE_WHO_CHAT,
      insert: {
        columns: ['id', 'conversation_id', 'sender_id', 'content', 'message_type', 'metadata'],
        attempts: {
          'in the member’s chat': [`(conversation_id, content) values (:conversation, 'Hello')`, BOTH_SIDES],
          'in the archived chat': [
            `(conversation_id, content) values (:archived_conversation, 'Hello')`,
            ['42501', '42501', '42501', '42501', '23514', '23514', '42501', '42501', '42501'],
          ],
          'to a plan’s owner who has blocked them': [
            `(conversation_id, content) values (:blocking_conversation, 'Hello')`,
            ['42501', '42501', '42501', '23514', '42501', '42501', '42501', '42501', '42501'],
          ],
          'in the name of another': [
            `(conversation_id, content, sender_id) values (:conversation, 'Hello', :lea)`,
            NOBODY,
          ],
          'as an announcement': [
            `(conversation_id, content, sender_id, message_type) values (:conversation, 'Hello', :me, 'announcement')`,
            NOBODY,
          ],
          'as the system': [
            `(conversation_id, content, sender_id, message_type) values (:conversation, 'Hello', 'system', 'system')`,
            NOBODY,
          ],
        },
      },
      update: NOBODY,
      delete: NOBODY,
    },
    chat_participants: {
      rows: { own: 'user_id = :me' },
      select: THOSE_WHO_CHAT,
      insert: NOBODY,
      update: NOBODY,
      delete: NOBODY,
    },
  },
  functions: {
    ask_question: {
      'about the plan': [
        `ask_question(:plan, 'Is it in 4K?')`,
        ['42501', 'yes', 'yes', '23505', 'yes', '23514', 'yes', 'yes', 'yes'],
      ],
      'of an owner who has blocked them': [
        `ask_question(:blocking_plan, 'Is it in 4K?')`,
        ['42501', 'PT404', 'PT404', '23505', 'PT404', 'PT404', 'PT404', 'PT404', 'PT404'],
      ],
      'about a plan in review': [`ask_question(:pending_plan, 'Is it in 4K?')`, signedIn('PT404')],
    },
    announce_to_members: {
      'of their plan': [
        `announce_to_members(:plan, 'New password at noon')`,
        ['42501', '42501', '42501', '42501', '42501', 'yes', '42501', '42501', '42501'],
      ],
      'of another’s plan': [`announce_to_members(:other_plan, 'Hello')`, NOBODY],
    },
    find_or_create_conversation: {
      'of owner and member': ['find_or_create_conversation(:plan, :olivia, :marc)', BOTH_SIDES],
      'of owner and former member': [
        'find_or_create_conversation(:plan, :olivia, :felix)',
        ['42501', '42501', '42501', '42501', 'yes', 'yes', '42501', '42501', '42501'],
      ],
      'of owner and themselves': [
        'find_or_create_conversation(:plan, :olivia, :me)',
        ['42501', '42501', 'yes', 'yes', 'yes', '23514', '42501', '42501', '42501'],
      ],
      'of owner and who asks for a place': [
        'find_or_create_conversation(:plan, :olivia, :rita)',
        ['42501', '42501', 'yes', '42501', '42501', 'yes', '42501', '42501', '42501'],
      ],
      'as the owner of another’s plan': ['find_or_create_conversation(:other_plan, :me, :paul)', NOBODY],
    },
    get_conversation_unread_status: {
      'for themselves': [
        'get_conversation_unread_status(:conversation, :me)',
        ['42501', '42501', '42501', 'true', '42501', 'true', '42501', '42501', '42501'],
      ],
      'for another': ['get_conversation_unread_status(:conversation, :lea)', NOBODY],
    },
    get_user_unread_conversations: {
      'their own': [
        'get_user_unread_conversations(:me)',
        ['42501', 'nothing', 'nothing', 'yes', 'yes', 'yes', 'nothing', 'nothing', 'nothing'],
      ],
      'of another': ['get_user_unread_conversations(:lea)', NOBODY],
    },
    mark_conversation_read: {
      'for themselves': ['mark_conversation_read(:conversation, :me)', BOTH_SIDES],
      'for another': ['mark_conversation_read(:conversation, :lea)', NOBODY],
    },
    mark_notifications_as_read: {
      'their own': ['mark_notifications_as_read(:me, null)', signedIn('yes')],
      'of another': ['mark_notifications_as_read(:lea, null)', NOBODY],
    },
  },
}
