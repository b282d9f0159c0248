import { AppError } from '#src/app-error'
import { rotateOperatorToken } from '#src/security/secrets'
import type { Services } from '#src/services'
import { recordChange } from './audit'
import { removeOperatorSessions } from './session'

/** Throws `conflict` if ADMIN_TOKEN sets the token, which cannot be rotated here. */
export function requireRotatable({ env }: Pick<Services, 'env'>): void {
  if (env.adminToken)
    throw new AppError(
      'conflict',
      'ADMIN_TOKEN sets the token. Change it there and restart: sessions opened with the old one end.',
    )
}

/**
 * Generates a new operator token and ends every session of the old one. Returns the token, which is shown only here,
 * and the number of ended sessions. Throws `conflict`.
 */
export async function rotateToken(
  services: Pick<Services, 'db' | 'env' | 'secrets'>,
  by: string,
): Promise<{ token: string; sessionsEnded: number }> {
  requireRotatable(services)
  return services.db.transaction(async (tx) => {
    const { length: sessionsEnded } = await removeOperatorSessions({ ...services, db: tx })
    await recordChange(tx, by, {
      action: 'rotate',
      subjectType: 'operator token',
      after: { sessionsEnded },
    })
    // This is the last step: if it fails, the rest is rolled back.
    return { token: rotateOperatorToken(services.env.dataDir), sessionsEnded }
  })
}
