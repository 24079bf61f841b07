import { plural, t } from '@lingui/core/macro'
import { Button, Group, Stack, Text } from '@mantine/core'
import type { ImportedRow } from '#domain/imports/row.ts'
import { placeLink } from '#domain/place-link.ts'
import { planName } from '#domain/plan-name.ts'
import { toAppError } from '#lib/errors.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { LinkAnchor, LinkButton } from '#ui/links.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { ShareLink } from '#ui/ShareLink.tsx'
import type { Fated } from './imports.ts'
import { SkippedRows } from './SkippedRows.tsx'

interface ImportDoneProps {
  rows: readonly ImportedRow[]
  fates: readonly Fated[]
  onAgain: () => void
}

/** The result of an import, for each row. */
export function ImportDone({ rows, fates, onAgain }: ImportDoneProps) {
  const shared = fates.filter(({ fate }) => fate === 'done')
  return (
    <Stack gap="lg">
      <EmptyState
        order={2}
        mood={shared.length > 0 ? 'sparkling' : 'calm'}
        title={
          shared.length === 0
            ? t`Nothing has changed`
            : plural(shared.length, { one: '# plan is shared', other: '# plans are shared' })
        }
        action={
          <Group justify="center">
            <LinkButton to="/my-subscriptions">{t`My shared plans`}</LinkButton>
            <Button variant="default" onClick={onAgain}>
              {t`Another file`}
            </Button>
          </Group>
        }
      >
        {t`You can bring the same file again: what is here already is left alone.`}
      </EmptyState>
      {shared.map(
        ({ key, params, params: { id = '', provider = '', name, status, invited = [], links = [] } }) => (
          <SectionCard
            key={key}
            titleId={`done-${key}`}
            title={
              <LinkAnchor inherit to="/manage-shared/$planId" params={{ planId: id }}>
                {provider} {planName(name ?? '')}
              </LinkAnchor>
            }
            gap="sm"
          >
            {status === 'pending' && (
              <Text c="dimmed">{t`We’re reviewing it. Others can see it once it’s approved.`}</Text>
            )}
            {status !== 'pending' && invited.length + links.length === 0 && (
              <Text c="dimmed">{t`Shared. Nobody was invited.`}</Text>
            )}
            {links.length > 0 && (
              <Text c="dimmed">{t`Each of them has a link to their place. It is shown only now.`}</Text>
            )}
            {links.map(({ name: person, link }) => (
              <Stack key={link} gap={4} role="group" aria-label={person}>
                <Text fw={600} dir="auto" style={{ overflowWrap: 'anywhere' }}>
                  {person}
                </Text>
                <ShareLink
                  variant="default"
                  link={placeLink(link)}
                  title={t`Your place in ${params.provider ?? ''} ${{ name: planName(name ?? '') }}`}
                />
              </Stack>
            ))}
            {invited.map(({ email, refusal }) => (
              <Text key={email}>
                {refusal
                  ? t`${email} was not invited: ${toAppError(refusal).message}`
                  : t`${email} is invited.`}
              </Text>
            ))}
          </SectionCard>
        ),
      )}
      <SkippedRows rows={rows} fates={fates.filter(({ fate }) => fate !== 'done')} />
    </Stack>
  )
}
