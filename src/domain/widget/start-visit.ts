import type { Pool } from 'pg';
import { DomainError } from '../../platform/errors.ts';
import { runSql } from '../../platform/postgres/run-sql.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { BusinessHours } from '../organizations/business-hours.ts';
import { type AuthenticatedWidget, requireValidIdentity } from './authenticate-widget-request.ts';
import { isUserHash } from './user-hash.ts';
import { signVisitorToken, type VerifiedVisitor } from './visitor-token.ts';

export interface Visit {
  readonly token: string;
  /**
   * True if the visit continues with the visitor of the presented token. False for a new visitor, for example after
   * another user has signed in on the website.
   */
  readonly isKnown: boolean;
  readonly teamHours: TeamHours;
  /** The project's own AI notice. Null: the widget uses its default in the language of the visitor. */
  readonly aiNotice: string | null;
}

/** What the widget shows before the first message. */
type ShownSettings = Pick<Visit, 'teamHours' | 'aiNotice'>;

/**
 * When the team is available. The widget receives the whole schedule, so that it can compute the current state at any
 * time.
 */
export interface TeamHours {
  /** Null: the team is always available. */
  readonly businessHours: BusinessHours | null;
  /**
   * The project's text for times outside business hours. Null: the widget uses its own text in the language of the
   * visitor.
   */
  readonly outOfHoursText: string | null;
}

/**
 * Starts a visit, or continues the visit of the presented token. With `userId`, the visitor is this user of the
 * website, on every device. If the id cannot be verified, the visit is refused, and never treated as the visit of an
 * anonymous visitor.
 * @throws DomainError UNAUTHENTICATED when `userHash` is missing or wrong, or the widget requires a verified id
 */
export async function startVisit(
  adapters: { readonly pool: Pool; readonly secretBox: SecretBox },
  widget: AuthenticatedWidget,
  {
    presented,
    userId,
    userHash,
  }: {
    /** The visitor of the presented token. Null if the token is missing or invalid. */
    readonly presented: VerifiedVisitor | null;
    readonly userId?: string | undefined;
    readonly userHash?: string | undefined;
  },
): Promise<Visit> {
  if (userId === undefined) {
    requireValidIdentity(widget, null);
    const isKnown = presented?.caller.identityVersion === null;
    return {
      token: await signVisitorToken(widget, isKnown ? presented.visitorId : undefined),
      isKnown,
      ...(await readShownSettings(adapters, widget)),
    };
  }
  const version = await verifyUser(adapters, widget, userId, userHash ?? '');
  const isKnown =
    presented !== null &&
    presented.caller.identityVersion !== null &&
    presented.caller.endUserId === userId;
  const visitorId = isKnown ? presented.visitorId : undefined;
  return {
    token: await signVisitorToken(widget, visitorId, { userId, version }),
    isKnown,
    ...(await readShownSettings(adapters, widget)),
  };
}

async function readShownSettings(
  { pool }: { readonly pool: Pool },
  { projectId }: AuthenticatedWidget,
): Promise<ShownSettings> {
  const [row] = await runSql<TeamHours & Pick<Visit, 'aiNotice'>>(pool, findShown, [projectId]);
  const { businessHours = null, outOfHoursText = null, aiNotice = null } = row ?? {};
  return { teamHours: { businessHours, outOfHoursText }, aiNotice };
}

const findShown = {
  name: 'find-shown-settings',
  text: `
    select project.business_hours as "businessHours", project.out_of_hours_text as "outOfHoursText",
      widget.ai_notice as "aiNotice"
    from grounded.projects project join grounded.widgets widget on widget.project_id = project.id
    where project.id = $1::uuid`,
};

/**
 * Returns the version of the secret that signed the id. All failures have the same message, so that it does not reveal
 * the reason.
 */
async function verifyUser(
  { pool, secretBox }: { readonly pool: Pool; readonly secretBox: SecretBox },
  { projectId }: AuthenticatedWidget,
  userId: string,
  userHash: string,
): Promise<number> {
  const secrets = await runSql<StoredSecret>(pool, findIdentitySecrets, [projectId]);
  const matching = secrets.filter(({ secret }) =>
    isUserHash(secretBox.decrypt(secret, projectId), userId, userHash),
  );
  const [signed] = matching;
  if (signed !== undefined) return signed.version;
  throw new DomainError(
    'UNAUTHENTICATED',
    "The userHash does not match: send the HMAC-SHA256 of userId with the widget's identity secret, in hexadecimal",
  );
}

interface StoredSecret {
  readonly secret: string;
  readonly version: number;
}

/** Returns the current secret, and then the previous secret until it expires. */
const findIdentitySecrets = {
  name: 'find-identity-secrets',
  text: `
    select stored.secret, stored.version
    from grounded.widgets widget
    cross join lateral (values
      (widget.identity_secret, widget.identity_version, true),
      (widget.previous_identity_secret, widget.identity_version - 1,
        widget.previous_identity_secret_expires_at > now())
    ) as stored (secret, version, is_valid)
    where widget.project_id = $1 and stored.secret is not null and stored.is_valid
    order by stored.version desc`,
};
