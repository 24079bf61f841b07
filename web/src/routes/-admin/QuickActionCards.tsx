import { t } from '@lingui/core/macro'
import { Badge, Group, SimpleGrid, Title } from '@mantine/core'
import { Link, useRouter } from '@tanstack/react-router'
import type { May } from '#features/staff/roles/use-role.ts'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import classes from './QuickActionCards.module.css'
import { quickActions } from './quick-actions.ts'

/** Cards that link to staff's two most frequent actions. */
export function QuickActionCards({ may }: { may: May }) {
  const { routesByPath } = useRouter()
  const actions = quickActions(may).filter(({ to }) => to in routesByPath)
  return (
    <SimpleGrid minColWidth="10rem" autoFlow="auto-fit" spacing="md">
      {actions.map(({ title, to, icon: Icon, limited }) => (
        <SurfaceCard key={to} component="article" aria-label={title} p="md">
          <Group justify="space-between" align="flex-start" wrap="nowrap" mb="xs">
            <Icon size={22} aria-hidden />
            {limited && (
              <Badge variant="light" color="honey" tt="none">
                {t`Limited Access`}
              </Badge>
            )}
          </Group>
          <Title order={2} fz="h5">
            <Link to={to} className={classes.link}>
              {title}
            </Link>
          </Title>
        </SurfaceCard>
      ))}
    </SimpleGrid>
  )
}
