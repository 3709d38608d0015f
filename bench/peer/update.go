package main

import (
	"context"
	"maps"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

// update reads everything from the cache and writes what differs. What the API server would fill in is spelled out, as
// CreateOrUpdate asks for: it would write for ever otherwise.
func (r *Reconciler) update(ctx context.Context, feed *Feed) error {
	meta := metav1.ObjectMeta{Name: nameOf(feed), Namespace: feed.Namespace}
	account := &corev1.ServiceAccount{ObjectMeta: meta}
	role := &rbacv1.Role{ObjectMeta: meta}
	binding := &rbacv1.RoleBinding{ObjectMeta: meta}
	config := &corev1.ConfigMap{ObjectMeta: meta}
	service := &corev1.Service{ObjectMeta: meta}
	set := &appsv1.StatefulSet{ObjectMeta: meta}
	steps := []struct {
		object client.Object
		mutate func()
	}{
		{account, func() {}},
		{role, func() { role.Rules = rulesOf(feed) }},
		{binding, func() {
			binding.RoleRef = rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: meta.Name}
			binding.Subjects = []rbacv1.Subject{{Kind: "ServiceAccount", Name: meta.Name, Namespace: feed.Namespace}}
		}},
		{config, func() { config.Data = map[string]string{"pipeline.yaml": feed.Spec.Document} }},
		{service, func() {
			service.Spec.ClusterIP = corev1.ClusterIPNone
			service.Spec.PublishNotReadyAddresses = true
			service.Spec.Selector = podsOf(feed)
			service.Spec.Ports = []corev1.ServicePort{{
				Name: "grpc", Port: 50051, Protocol: corev1.ProtocolTCP, TargetPort: intstr.FromString("grpc"),
			}}
		}},
		{set, func() { mutateStatefulSet(feed, meta.Name, &set.Spec) }},
	}
	for _, step := range steps {
		_, err := controllerutil.CreateOrUpdate(ctx, r.Client, step.object, func() error {
			labels := step.object.GetLabels()
			if labels == nil {
				labels = map[string]string{}
			}
			maps.Copy(labels, labelsOf(feed))
			step.object.SetLabels(labels)
			step.mutate()
			return controllerutil.SetControllerReference(feed, step.object, r.Scheme())
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// rulesOf is what the coordinator may do.
func rulesOf(feed *Feed) []rbacv1.PolicyRule {
	rule := func(group, resource string, names []string, verbs ...string) rbacv1.PolicyRule {
		return rbacv1.PolicyRule{
			APIGroups: []string{group}, Resources: []string{resource}, ResourceNames: names, Verbs: verbs,
		}
	}
	owner := []string{feed.Name}
	return []rbacv1.PolicyRule{
		rule("", "pods", []string{nameOf(feed) + "-0"}, "get"),
		rule(appsv1.GroupName, "deployments", nil, "create"),
		rule(groupVersion.Group, "feeds", owner, "get"),
		rule(groupVersion.Group, "feeds/status", owner, "get", "patch", "update"),
	}
}

func mutateStatefulSet(feed *Feed, name string, spec *appsv1.StatefulSetSpec) {
	spec.Replicas = ptr.To[int32](1)
	spec.ServiceName = name
	spec.PodManagementPolicy = appsv1.ParallelPodManagement
	spec.Selector = &metav1.LabelSelector{MatchLabels: podsOf(feed)}
	spec.Template = corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: podsOf(feed)},
		Spec: corev1.PodSpec{
			ServiceAccountName:            name,
			DeprecatedServiceAccount:      name,
			TerminationGracePeriodSeconds: ptr.To[int64](60),
			RestartPolicy:                 corev1.RestartPolicyAlways,
			DNSPolicy:                     corev1.DNSClusterFirst,
			SchedulerName:                 corev1.DefaultSchedulerName,
			SecurityContext: &corev1.PodSecurityContext{
				RunAsNonRoot: ptr.To(true), RunAsUser: ptr.To[int64](65532), RunAsGroup: ptr.To[int64](65532),
				FSGroup:        ptr.To[int64](65532),
				SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
			},
			Volumes: []corev1.Volume{
				{Name: "config", VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{
					LocalObjectReference: corev1.LocalObjectReference{Name: name}, DefaultMode: ptr.To[int32](0o644),
				}}},
				{Name: "tmp", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}},
			},
			Containers: []corev1.Container{coordinator(feed)},
		},
	}
}

func coordinator(feed *Feed) corev1.Container {
	probe := func(path string, failures int32) *corev1.Probe {
		return &corev1.Probe{
			ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{
				Path: path, Port: intstr.FromString("metrics"), Scheme: corev1.URISchemeHTTP,
			}},
			PeriodSeconds: 10, FailureThreshold: failures, SuccessThreshold: 1, TimeoutSeconds: 1,
		}
	}
	return corev1.Container{
		Name: "coordinator", Image: feed.Spec.Image, ImagePullPolicy: corev1.PullIfNotPresent,
		Command:                  []string{"urutau-coordinator"},
		Args:                     []string{"run", "--file", "/etc/urutau/pipeline.yaml"},
		TerminationMessagePath:   corev1.TerminationMessagePathDefault,
		TerminationMessagePolicy: corev1.TerminationMessageReadFile,
		SecurityContext: &corev1.SecurityContext{
			AllowPrivilegeEscalation: ptr.To(false), ReadOnlyRootFilesystem: ptr.To(true),
			Capabilities: &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
		},
		Ports: []corev1.ContainerPort{
			{Name: "grpc", ContainerPort: 50051, Protocol: corev1.ProtocolTCP},
			{Name: "metrics", ContainerPort: 9090, Protocol: corev1.ProtocolTCP},
		},
		StartupProbe:   probe("/healthz", 60),
		LivenessProbe:  probe("/healthz", 3),
		ReadinessProbe: probe("/readyz", 3),
		VolumeMounts: []corev1.VolumeMount{
			{Name: "config", MountPath: "/etc/urutau", ReadOnly: true},
			{Name: "tmp", MountPath: "/tmp"},
		},
	}
}
