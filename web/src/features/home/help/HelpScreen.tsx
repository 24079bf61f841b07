import { t } from '@lingui/core/macro'
import { Accordion, Container, Stack, Text, Title } from '@mantine/core'
import { useMemo } from 'react'
import { WriteToSupport } from '#features/staff/support/WriteToSupport.tsx'
import { useSession } from '#lib/session.ts'
import { useFoundAnnounced } from '#ui/announce.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LinkButton } from '#ui/links.tsx'
import { PageTitle } from '#ui/PageTitle.tsx'
import { SearchField } from '#ui/SearchField.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { found, topics } from './help-content.ts'

interface HelpScreenProps {
  /** The fee rate for new plans, such as 0.1; undefined until loaded. */
  feeRate: number | undefined
  /** The reader's search text. */
  wanted: string
  onSearch: (text: string) => void
}

/** Questions and answers by topic, with a search, and a way to write to staff. */
export function HelpScreen({ feeRate, wanted, onSearch }: HelpScreenProps) {
  const session = useSession()
  const shown = useMemo(() => found(topics(feeRate), wanted), [feeRate, wanted])
  useFoundAnnounced(useMemo(() => shown.flatMap(({ questions }) => questions), [shown]))
  return (
    <Container size="sm" py={{ base: 'md', sm: 'xl' }}>
      <PageTitle title={t`Help`} />
      <SearchField label={t`Search the answers`} value={wanted} onSearch={onSearch} />
      <Stack gap="xl">
        {shown.length === 0 && (
          <EmptyState order={2} title={t`No answers for “${wanted}”`}>
            {t`Try another word, or write to us below.`}
          </EmptyState>
        )}
        {shown.map(({ title, questions }) => (
          <section key={title} aria-label={title}>
            <Title order={2} size="h4" mb="xs">
              {title}
            </Title>
            <Accordion order={3} chevronPosition="right">
              {questions.map(({ question, answer }) => (
                <Accordion.Item key={question} value={question}>
                  <Accordion.Control fw={600}>{question}</Accordion.Control>
                  <Accordion.Panel>
                    <Text c="dimmed">{answer}</Text>
                  </Accordion.Panel>
                </Accordion.Item>
              ))}
            </Accordion>
          </section>
        ))}
        <SectionCard titleId="write-to-us" title={t`Contact us`}>
          {session.status === 'signed-in' ? (
            <WriteToSupport userId={session.user.id} />
          ) : (
            <LinkButton to="/signin" variant="default">
              {t`Sign in to write to us`}
            </LinkButton>
          )}
        </SectionCard>
      </Stack>
    </Container>
  )
}
