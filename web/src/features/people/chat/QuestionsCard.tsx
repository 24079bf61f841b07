import { t } from '@lingui/core/macro'
import { Card, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { ChatButton } from './ChatButton.tsx'
import { type ChatPartner, chatPartner, questionsQuery } from './chat.queries.ts'

interface QuestionsCardProps {
  plan: { id: string; ownerId: string; provider: string; name: string }
  userId: string
  onChat: (partner: ChatPartner) => void
}

/** Questions from people without a place in the plan, for its owner; renders nothing if there are none. */
export function QuestionsCard({ plan, userId, onChat }: QuestionsCardProps) {
  const { data: questions = [] } = useQuery(questionsQuery(userId, plan.id))
  if (questions.length === 0) return null
  return (
    <Card component="section" aria-labelledby="questions-title">
      <Title order={2} size="h3" id="questions-title" mb="md">
        {t`Questions`}
      </Title>
      <Stack gap="sm">
        {questions.map(({ id, memberId, ...person }) => (
          <Group key={id} gap="sm" wrap="nowrap">
            <PersonAvatar name={person.name} src={person.avatarUrl} size={44} />
            <Text fw={600} truncate flex={1}>
              <PersonLink truncate userId={memberId} name={person.name} />
            </Text>
            <ChatButton partner={chatPartner(plan, memberId, person)} userId={userId} onChat={onChat} />
          </Group>
        ))}
      </Stack>
    </Card>
  )
}
