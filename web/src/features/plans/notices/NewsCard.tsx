import { t } from '@lingui/core/macro'
import { Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { Plan } from '#domain/plan.ts'
import { lazyPart } from '#lib/online.ts'
import { LazyDialog } from '#ui/LazyDialog.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'

const NoticeDialog = lazyPart(async () => (await import('./NoticeDialog.tsx')).NoticeDialog)

/** Lets the owner tell everybody in the plan about a new price or a pause. */
export function NewsCard({ plan }: { plan: Plan }) {
  const [writing, { open, close }] = useDisclosure()
  if (plan.currentMembers < 2) return null
  return (
    <SectionCard titleId="news-title" title={t`News from the provider`} gap="xs">
      <Text>{t`Does the price change, or will the plan be paused?`}</Text>
      <Button variant="default" size="sm" w="fit-content" mt="xs" onClick={open}>
        {t`Tell everybody`}
      </Button>
      <LazyDialog opened={writing}>
        {(opened) => <NoticeDialog plan={plan} opened={opened} onClose={close} />}
      </LazyDialog>
    </SectionCard>
  )
}
